import { useId, useRef, useState } from 'react';
import { classes } from '../../../ui/classes';
import { useFileDrop } from '../../../ui/form/useFileDrop';
import { UploadIcon } from '../../../ui/icons/icons';
import { useObjectUrl } from '../../../ui/useObjectUrl';
import styles from './QrUploadForm.module.css';

interface ImagePickerProps {
  image: File | null;
  disabled: boolean;
  invalid: boolean;
  onPick: (file: File) => void;
}

export function ImagePicker({ image, disabled, invalid, onPick }: ImagePickerProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const preview = useObjectUrl(image);
  // The browser cannot show it. The server says whether it is an image.
  const [broken, setBroken] = useState<File | null>(null);

  const pick = (files: FileList | null) => {
    const file = files?.[0];
    if (file) onPick(file);
    // The form holds the file. Clearing the input lets the same file be picked again.
    if (input.current) input.current.value = '';
  };

  const { isOver, handlers } = useFileDrop((files) => {
    if (!disabled) pick(files);
  });

  return (
    <div className={styles.picker}>
      <label htmlFor={id} className={styles.label}>
        QR image
      </label>
      <label
        htmlFor={id}
        className={classes(styles.zone, isOver && styles.over, invalid && styles.invalid)}
        {...handlers}
      >
        <input
          ref={input}
          id={id}
          type="file"
          name="qrImage"
          accept="image/*"
          required
          disabled={disabled}
          aria-invalid={invalid || undefined}
          className={styles.input}
          onChange={(event) => pick(event.target.files)}
        />
        {preview && image ? (
          <>
            {broken === image ? (
              <span className={styles.noPreview}>
                <UploadIcon />
              </span>
            ) : (
              <img
                src={preview}
                alt={`Preview of ${image.name}`}
                className={styles.preview}
                onError={() => setBroken(image)}
              />
            )}
            <span className={styles.text}>
              <span className="clip medium" title={image.name}>
                {image.name}
              </span>
              <span className="quiet">Choose another image</span>
            </span>
          </>
        ) : (
          <span className={styles.prompt}>
            <UploadIcon />
            Choose an image, or drop it here
          </span>
        )}
      </label>
    </div>
  );
}
