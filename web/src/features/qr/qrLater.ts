/* Everything that the first view of the codes does not need, in one lazy-loaded file. */

export { PictureReading } from './PictureReading';
export { QrDialogs } from './QrDialogs';
export { endRequest } from './removing';
export { draw, send } from './uploadActions';
