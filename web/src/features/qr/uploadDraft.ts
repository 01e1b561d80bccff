/** The input of the upload form. */
export interface Draft {
  name: string;
  upiId: string;
  /** Who filled in the UPI ID. A picture never overwrites what an admin has typed or cleared. */
  upiIdBy: 'admin' | 'image' | null;
  qrImage: File | null;
}

/** What the actions of the form's buttons need. */
export interface UploadForm {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  /** `fields` names the fields to correct. */
  showNotice: (tone: 'bad' | 'good', lines: string[], fields?: string[]) => void;
}

/** The id of the form in `qrTasks`, next to the ids of the rows. */
export const formId = 'upload';
export const emptyDraft: Draft = { name: '', upiId: '', upiIdBy: null, qrImage: null };
export const incomplete = 'Please fill all fields and upload a QR image.';
