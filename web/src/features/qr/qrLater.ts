/* Everything that the first view of the codes does not need, in one lazy-loaded file. */

export { draw, send } from './formWork';
export { PictureReading } from './PictureReading';
export { QrDesk } from './QrDesk';
export { endRequest } from './removing';
