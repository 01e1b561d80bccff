import type { ButtonHTMLAttributes, Ref } from 'react';
import styles from './Button.module.css';
import { classes } from './classes';
import { CloseIcon } from './icons/icons';
import { useMay } from './may';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  ref?: Ref<HTMLButtonElement>;
  /** `filled` is for the one action that is due, `danger` for deletion, `link` for a word in a line of text. */
  look?: 'quiet' | 'filled' | 'danger' | 'icon' | 'link';
  /** Row buttons are smaller, so that a table row stays 40 px high. */
  size?: 'control' | 'row';
  /** An admin without this permission does not get the button. */
  needs?: string;
}

export function Button(props: ButtonProps) {
  const { look = 'quiet', size = 'control', needs, className, ...rest } = props;
  const may = useMay();
  if (needs && !may(needs)) return null;
  return (
    <button
      type="button"
      className={classes(styles.button, styles[look], styles[size], className)}
      {...rest}
    />
  );
}

export function CloseButton(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <Button look="icon" aria-label="Close" {...props}>
      <CloseIcon />
    </Button>
  );
}
