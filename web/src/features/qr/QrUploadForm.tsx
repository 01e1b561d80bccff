import { type FormEvent, useRef } from 'react';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { ImagePicker } from './ImagePicker';
import styles from './QrUploadForm.module.css';
import { useQrUpload } from './qrUpload';

export function QrUploadForm() {
  const { draft, notice, isSending, change, pickImage, send, dismiss } = useQrUpload();
  const form = useRef<HTMLFormElement>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const firstToMend = await send();
    if (firstToMend) form.current?.querySelector<HTMLElement>(`[name="${firstToMend}"]`)?.focus();
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
          readOnly={isSending}
          invalid={isBad('name')}
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
          readOnly={isSending}
          invalid={isBad('upiId')}
          onChange={(event) => change({ upiId: event.target.value })}
        />
      </div>
      <ImagePicker
        image={draft.qrImage}
        disabled={isSending}
        invalid={isBad('qrImage')}
        onPick={pickImage}
      />
      <div className={styles.send}>
        <Button type="submit" look="filled" disabled={isSending} aria-busy={isSending}>
          {isSending ? 'Uploading…' : 'Upload'}
        </Button>
      </div>
      {notice && (
        <div className={styles.notice}>
          <Alert key={notice.key} tone={notice.tone} onDismiss={dismiss}>
            {notice.lines.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </Alert>
        </div>
      )}
    </form>
  );
}
