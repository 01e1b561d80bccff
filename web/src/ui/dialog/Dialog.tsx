import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../Button';
import { classes } from '../classes';
import { beginQuiet, beginWaiting, refuseMore, takesText, useIsLocked } from '../page/quietKeys';
import styles from './Dialog.module.css';
import { useModal } from './modal';

interface Confirmation {
  label: string;
  look?: 'filled' | 'danger' | 'quiet';
  /** Enter was pressed in an empty field: this must only say what to do. */
  onEmpty?: () => void;
  /** With many fields, Enter in one of them is the end of this one and not of all. */
  isOnButtonOnly?: boolean;
  /** The action cannot be undone: a double tap does nothing. */
  isGrave?: boolean;
  isBusy?: boolean;
  /** The action is not possible yet, or not before the admin has looked at something again. */
  isHeld?: boolean;
  /** The action is no longer possible: the admin can only read why and close the dialog. */
  isOver?: boolean;
  /** Everything to read first, in one text. When it changes, the same time passes again before Enter confirms. */
  toRead?: string | undefined;
  onConfirm: () => void;
}

export interface DialogProps {
  title: string;
  /** The text, which also describes the dialog to screen readers. */
  children?: ReactNode;
  /** What follows the text: inputs, a list, an error. */
  fields?: ReactNode;
  /** Omitted if the dialog asks for no decision. */
  confirm?: Confirmation;
  /** Another button beside Close, e.g. Retry. */
  action?: ReactNode;
  closeLabel?: string;
  /** What it shows can never be shown again: only its button closes it, not Escape or Back. */
  isKept?: boolean;
  /** For a dialog with a list to read first, or with a table. */
  isWide?: boolean | 'table';
  /** The content arrives in parts: the dialog grows upwards, and its buttons do not move. */
  isSteady?: boolean;
  onClose: () => void;
}

/** How long the second tap of a double tap is ignored, and an Enter before what the dialog shows can be read. */
const armingMilliseconds = 500;
/** How long a second press is ignored while the first has not been rendered. */
const sendingMilliseconds = 500;

/** True until the dialog has been ready, with the same text to read, for that time. */
export function useArming(isReady = true, toRead = ''): boolean {
  // Compared while rendering: what is new on the screen is never armed, not even until the effect runs.
  const [armedFor, setArmedFor] = useState<string | null>(null);
  useEffect(() => {
    if (!isReady) return;
    const timer = setTimeout(() => setArmedFor(toRead), armingMilliseconds);
    return () => {
      clearTimeout(timer);
      setArmedFor(null);
    };
  }, [isReady, toRead]);
  return !isReady || armedFor !== toRead;
}

/** A modal dialog. The element marked `data-first` gets the initial focus, otherwise Cancel or Close. */
export function Dialog(props: DialogProps) {
  const { title, children, fields, confirm, action, isWide, isSteady } = props;
  const { isGrave = false, isBusy = false, isHeld = false, isOver = false } = confirm ?? {};
  const closeButton = useRef<HTMLButtonElement>(null);
  const confirmButton = useRef<HTMLButtonElement>(null);
  const isElsewhere = useRef(false);
  const confirmed = useRef<{ confirm?: Confirmation | undefined; at: number }>({ at: 0 });
  const isButtonArming = useArming(!isHeld, confirm?.toRead);
  const isArming = useArming(!isHeld && !isBusy && !isOver, confirm?.toRead);
  const isLocked = useIsLocked() && !isOver;
  const [isEarly, setIsEarly] = useState(false);
  const bodyId = useId();

  const onConfirm = () => {
    const { current: last } = confirmed;
    const isAgain = last.confirm === confirm && performance.now() - last.at < sendingMilliseconds;
    if (isBusy || isHeld || isOver || isAgain) return;
    confirmed.current = { confirm, at: performance.now() };
    setIsEarly(false);
    confirm?.onConfirm();
  };
  const close = () => {
    // A request that has been sent cannot be cancelled.
    if (!isBusy) props.onClose();
  };

  const leave = () => props.isKept || close();

  const { modal, titleId } = useModal(leave, (dialog) => {
    const first = dialog.querySelector<HTMLElement>('[data-first]') ?? closeButton.current;
    first?.focus({ preventScroll: true });
    // In a short window, e.g. zoomed to 400 %, it opens at its top: what it asks comes before the answer.
    dialog.scrollTop = 0;
  });

  useEffect(() => {
    if (!isBusy) return undefined;
    return beginWaiting();
  }, [isBusy]);

  useEffect(() => {
    if (!isOver && !isButtonArming) return;
    const { current: dialog } = modal.ref;
    const focused = document.activeElement;
    // Do not focus Close: an Enter meant for the other button would close the message unread.
    if (!dialog?.contains(focused) || focused?.matches(':disabled')) dialog?.focus();
  }, [isOver, isButtonArming, modal.ref]);

  /** Enter confirms in a field with text in it and on the button; no other key does, anywhere. */
  const press = (event: KeyboardEvent) => {
    const { key, target, repeat, nativeEvent } = event;
    if (key === 'k' && (event.ctrlKey || event.metaKey)) {
      // They expect the palette, which does not open here: what they type next is no answer.
      isElsewhere.current = true;
      beginQuiet(true);
    }
    const isHasty = repeat || isArming;
    if (isTextField(target)) {
      // The Enter that ends the input of a composed character belongs to the text.
      if (key !== 'Enter' || event.shiftKey || event.altKey || nativeEvent.isComposing) return;
      event.preventDefault();
      if (isElsewhere.current || confirm?.isOnButtonOnly) return;
      if (isHasty) {
        if (repeat || isBusy || isOver || !target.value.trim()) return;
        setIsEarly(true);
        refuseMore();
      } else if (target.value.trim()) onConfirm();
      else confirm?.onEmpty?.();
    } else if (key === 'Enter' || key === ' ') {
      // Otherwise the browser presses the focused button.
      if (target === confirmButton.current ? isHasty : repeat) event.preventDefault();
    }
  };

  return (
    <dialog
      {...modal}
      role={isGrave ? 'alertdialog' : undefined}
      tabIndex={-1}
      aria-describedby={children ? bodyId : undefined}
      className={classes(
        styles.box,
        isWide && styles.wide,
        isWide === 'table' && styles.table,
        isSteady && styles.steady,
      )}
      data-asks=""
      data-armed={!isArming || undefined}
      onKeyDown={press}
    >
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      {children && (
        <div id={bodyId} className={styles.body}>
          {children}
        </div>
      )}
      {fields}
      {(isLocked || isEarly) && modal.ref.current?.contains(document.activeElement) && (
        <p role="status" className={classes('odd', styles.locked)}>
          {isLocked
            ? 'What you typed on was not taken. Click in the field, or press End, to change it.'
            : 'Nothing is confirmed yet: Enter came before this could be read. Press it again.'}
        </p>
      )}
      <div className={styles.buttons}>
        <Button ref={closeButton} onClick={close}>
          {props.closeLabel ?? (confirm && !isOver ? 'Cancel' : 'Close')}
        </Button>
        {action}
        {confirm && (
          // Stays in place when disabled: a late click must not hit something else.
          <Button
            ref={confirmButton}
            look={confirm.look ?? 'filled'}
            disabled={(isGrave && isButtonArming) || isHeld || isOver}
            aria-busy={isBusy}
            onClick={onConfirm}
          >
            {confirm.label}
          </Button>
        )}
      </div>
    </dialog>
  );
}

const isTextField = (target: EventTarget): target is HTMLInputElement | HTMLTextAreaElement =>
  takesText(target) && 'value' in target && !target.matches('select');
