import type { ButtonHTMLAttributes, Ref } from 'react';
import styles from './Button.module.css';
import { classes } from './classes';
import { CloseIcon } from './icons/icons';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  ref?: Ref<HTMLButtonElement>;
  /** `filled` is for the one action that is due, `danger` for deletion, `link` for a word in a line of text. */
  look?: 'quiet' | 'filled' | 'danger' | 'icon' | 'link';
  /** Row buttons are smaller, so that a table row stays 40 px high. */
  size?: 'control' | 'row';
}

export function Button({ look = 'quiet', size = 'control', className, ...rest }: ButtonProps) {
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
