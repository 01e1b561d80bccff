/* All that the first view of the codes does not need, in one file. */

export { drawPicture, sendUpload } from './formWork';
export { PictureReading } from './PictureReading';
export { QrDesk } from './QrDesk';
