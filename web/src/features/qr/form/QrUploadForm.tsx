import { type FormEvent, useRef } from 'react';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/form/Field';
import { Alert, Lines } from '../../../ui/notices/Alert';
import { ImagePicker } from './ImagePicker';
import { PictureReading } from './PictureReading';
import styles from './QrUploadForm.module.css';
import { useQrUpload } from './qrUpload';

const longestName = 80;

export function QrUploadForm() {
  const upload = useQrUpload();
  const { draft, notice, isSending, isLocked, change, pickImage, send, dismiss } = upload;
  const form = useRef<HTMLFormElement>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    focusOn(await send(() => form.current !== null));
  };

  const focusOn = (fieldToCorrect: string | undefined) => {
    if (fieldToCorrect)
      form.current?.querySelector<HTMLElement>(`[name="${fieldToCorrect}"]`)?.focus();
  };

  const isBad = (field: string) => notice?.fields.includes(field) ?? false;
  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      className={styles.form}
      aria-label="QR Code Upload"
    >
      <div className={styles.fields}>
        <Field
          label="QR Name"
          name="name"
          required
          autoComplete="off"
          value={draft.name}
          readOnly={isLocked}
          invalid={isBad('name')}
          maxLength={longestName}
          note={draft.name.length < longestName ? '' : `At most ${longestName} characters`}
          onChange={(event) => change({ name: event.target.value })}
        />
        <Field
          label="UPI ID"
          name="upiId"
          required
          placeholder="name@bank"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          inputMode="email"
          value={draft.upiId}
          readOnly={isLocked}
          invalid={isBad('upiId')}
          note={draft.upiIdBy === 'image' ? 'Filled in from the image' : ''}
          onChange={(event) => change({ upiId: event.target.value, upiIdBy: 'admin' })}
        />
        <Button
          look="link"
          disabled={isSending}
          aria-busy={upload.isDrawing}
          onClick={() => void upload.draw().then(focusOn)}
        >
          Make the QR from the UPI ID
        </Button>
      </div>
      <ImagePicker
        image={draft.qrImage}
        disabled={isLocked}
        invalid={isBad('qrImage')}
        onPick={pickImage}
      />
      <div className={styles.whole}>
        <div aria-live="polite" className={styles.read}>
          {draft.qrImage && (
            <PictureReading
              image={draft.qrImage}
              typedUpiId={upload.typedUpiId}
              onRead={({ upiId }) => upload.fillUpiId(upiId)}
            />
          )}
        </div>
        <Button type="submit" look="filled" disabled={isLocked} aria-busy={isSending}>
          {isSending ? 'Uploading…' : 'Upload'}
        </Button>
      </div>
      {notice && (
        <div className={styles.whole}>
          <Alert key={notice.key} tone={notice.tone} onDismiss={dismiss}>
            <Lines lines={notice.lines} />
          </Alert>
        </div>
      )}
    </form>
  );
}
