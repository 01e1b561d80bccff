/** What is typed and picked in the upload form. */
export interface Draft {
  name: string;
  upiId: string;
  /** Whose the UPI ID is. What an admin has typed, or emptied, no picture changes. */
  upiIdBy: 'admin' | 'image' | null;
  qrImage: File | null;
}

/** For what the buttons of the form do. */
export interface UploadForm {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  /** With the names of the fields to mend. */
  tell: (tone: 'bad' | 'good', lines: string[], fields?: string[]) => void;
}

/** The form's place among the rows that are worked on. */
export const formId = 'upload';
export const emptyDraft: Draft = { name: '', upiId: '', upiIdBy: null, qrImage: null };
export const incomplete = 'Please fill all fields and upload a QR image.';
