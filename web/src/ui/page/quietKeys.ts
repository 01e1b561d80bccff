import { useEffect, useSyncExternalStore } from 'react';

/*
 * An admin types a bank reference with the eyes on another screen, and goes on typing when a dialog opens or closes.
 * Most letters are shortcuts, so what is typed then must reach nothing. This is the one place that decides it:
 *
 * - After a dialog has closed, letters and Enter do nothing outside of text fields until nothing was typed for half a
 *   second. After an answer from the server, in text fields too: what follows the Enter must not change what was
 *   typed. A field that still has what was typed takes no letters and no paste until the admin turns to it again: the
 *   next reference would look like the end of this one. If any were lost like that, Enter does nothing either.
 * - If a letter was lost on the page, was no shortcut, or should have opened a dialog and did not, an admin who looks
 *   elsewhere believes that a dialog is open. However long the pause, the first letter of a reference would be a
 *   shortcut and the rest would be sent as the reference. So keys do nothing more until the admin turns to the page,
 *   by Escape, an arrow key or the pointer.
 * - For the same reason a dialog that opens after lost letters takes none until the admin turns to its field. Erasing
 *   is no sign of that, because they correct what they type.
 * - A key that is held down while a dialog opens or closes does nothing more until it is released.
 */
const pauseMilliseconds = 500;

let quietUntil = -Infinity;
let isQuietInFields = false;
let isStopped = false;
let hasLostKeys = false;
let waitingDialogs = 0;
let isAnswered = false;
let isFull = false;
let hasLostLetters = false;
const listeners = new Set<() => void>();
const pressed = new Set<string>();
const ignored = new Set<string>();

const ignoreHeldKeys = () => {
  for (const key of pressed) ignored.add(key);
};

/** To be called when a dialog opens. One that asks for nothing, such as the palette, takes letters in any case. */
export function beginDialog(isAsking: boolean) {
  ignoreHeldKeys();
  takeLetters();
  isStopped = false;
  if (!hasLostKeys || !isAsking) return;
  quietUntil = performance.now() + pauseMilliseconds;
  isQuietInFields = true;
  isAnswered = true;
  loseLetters();
}

/** To be called when a shortcut should open a dialog and cannot, or not at once. */
export function stopKeys() {
  ignoreHeldKeys();
  isStopped = true;
}

/** To be called when a dialog has closed, or has got its answer. */
export function beginQuiet(isInFields = false) {
  ignoreHeldKeys();
  if (hasLostKeys) isStopped = true;
  isQuietInFields = isInFields || (isQuietInFields && isQuiet());
  quietUntil = performance.now() + pauseMilliseconds;
}

/** To be called when a dialog has sent what was typed; the result when it is answered. */
export function beginWaiting() {
  waitingDialogs += 1;
  takeLetters();
  return () => {
    waitingDialogs -= 1;
    refuseLateLetters();
    const field = document.activeElement;
    if (takesText(field) && 'value' in field && field.value) refuseMore();
  };
}

/** To be called when an answer has appeared: what is typed on was begun without having seen it. */
export function refuseLateLetters() {
  beginQuiet(true);
  isAnswered = true;
  notify();
}

/** To be called when an Enter in a field with text confirmed nothing: the admin may believe that it did. */
export function refuseMore() {
  isAnswered = true;
  isFull = true;
  notify();
}

function loseLetters() {
  hasLostLetters = true;
  notify();
}

function takeLetters() {
  isAnswered = false;
  isFull = false;
  hasLostLetters = false;
  notify();
}

function turnToField() {
  takeLetters();
  hasLostKeys = false;
}

const notify = () => {
  for (const listener of listeners) listener();
};

const isLocked = () => isAnswered && hasLostLetters;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Whether the field of the dialog takes no letters, because some were typed before its answer could be read. */
export const useIsLocked = () => useSyncExternalStore(subscribe, isLocked);

/** Whether what is typed must not be added to what the field of the dialog has. */
export const useIsFull = () => useSyncExternalStore(subscribe, () => isAnswered && isFull);

/** Whether keys do nothing on the page, and some were lost. */
export const useAreKeysLost = () => useSyncExternalStore(subscribe, () => isStopped && hasLostKeys);

const isQuiet = () => performance.now() < quietUntil;

const endQuiet = () => {
  quietUntil = -Infinity;
  isStopped = false;
  hasLostKeys = false;
  notify();
};

function loseKeys() {
  hasLostKeys = true;
  notify();
}

/** A click beside the field may only have brought the window to the front. */
const point = (event: Event) => {
  endQuiet();
  if (isAnswered && isInDialogField(event)) takeLetters();
};

const forgetKeys = () => {
  pressed.clear();
  ignored.clear();
};

/** Escape, Tab and the keys of the browser always work. */
const isTyped = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  (key.length === 1 || key === 'Enter') && !ctrlKey && !metaKey && !altKey;

const isEnter = ({ key }: KeyboardEvent) => key === 'Enter';

const isErasing = ({ key }: KeyboardEvent) => key === 'Backspace' || key === 'Delete';

/** Whether an element takes text: there a letter is a letter. */
export function takesText(target: EventTarget | null): target is HTMLElement {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return !['checkbox', 'radio', 'file'].includes(target.type);
  return target.isContentEditable || target.matches('textarea, select');
}

/** In a dialog without the focus in a field. In a panel a letter is a shortcut, and a space presses a button. */
const isForNothing = ({ key, target }: KeyboardEvent) =>
  key.length === 1 &&
  key !== ' ' &&
  !takesText(target) &&
  target instanceof Element &&
  target.closest('dialog:not([data-panel])') !== null;

/** Other than a panel, in which letters are shortcuts. */
const isDialogOpen = () => document.querySelector('dialog[open]:not([data-panel])') !== null;

/** Keys of somebody who looks at the page: no reference has them, and they press no button. */
const turnsToPage = ({ key }: KeyboardEvent) => key.startsWith('Arrow') || key === 'Escape';

const isInDialogField = ({ target }: Event) =>
  takesText(target) && target.closest('dialog:not([data-panel])') !== null;

/** Keys of somebody who sees the field. */
const turnsToField = ({ key }: KeyboardEvent) =>
  ['ArrowLeft', 'ArrowRight', 'Home', 'End', 'Tab'].includes(key);

const isPasting = ({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent) =>
  ((ctrlKey || metaKey) && key.toLowerCase() === 'v') || (shiftKey && key === 'Insert');

const nameOf = ({ code, key }: KeyboardEvent) => code || key;

function swallow(event: KeyboardEvent) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function press(event: KeyboardEvent) {
  if (!event.repeat) ignored.delete(nameOf(event));
  pressed.add(nameOf(event));
  const isTurning = turnsToField(event);
  const isResuming = turnsToPage(event) && isStopped && hasLostKeys && !isDialogOpen();
  if (turnsToPage(event)) endQuiet();
  // Up and down lead to another row, for somebody who does not see that a dialog is open.
  if (isAnswered && isTurning && (!isQuiet() || event.key.startsWith('Arrow'))) turnToField();
  const isInField = isInDialogField(event);
  const isMore = isPasting(event) || (isTyped(event) && event.key.length === 1);
  const isRefused =
    isInField &&
    isAnswered &&
    ((isFull && (isMore || isErasing(event))) ||
      ((isLocked() || isQuiet()) && (isMore || isTyped(event) || isErasing(event))));
  const isOutside = isTyped(event) && !takesText(event.target);
  const isOnPage = isOutside && !isDialogOpen();
  const isLost =
    isRefused ||
    (isOnPage && isStopped) ||
    (isQuiet() && (isOutside || (isQuietInFields && isTyped(event))));
  const isLate = isInField && waitingDialogs > 0 && (event.target as HTMLInputElement).readOnly;
  if ((isRefused && !isEnter(event)) || (isLate && isMore)) loseLetters();
  if (isLost) quietUntil = performance.now() + pauseMilliseconds;
  if (isLost && isOnPage) isStopped = true;
  if (isLost || (isTyped(event) && (isForNothing(event) || isLate))) loseKeys();
  // Escape would close the panel or empty the search as well.
  if (isLost || (isResuming && event.key === 'Escape') || ignored.has(nameOf(event)))
    swallow(event);
}

/** To be called after all others: what none of them has taken was meant for a field. */
export function pressInVain(event: KeyboardEvent) {
  const { key, target, repeat, defaultPrevented } = event;
  if (defaultPrevented || repeat || !isTyped(event) || key.length > 1 || key === ' ') return;
  if (takesText(target) || isDialogOpen()) return;
  stopKeys();
  loseKeys();
}

function release(event: KeyboardEvent) {
  pressed.delete(nameOf(event));
  // Some browsers press the focused button when the space bar is released.
  if (ignored.delete(nameOf(event))) swallow(event);
}

/** Before all other listeners: for the whole app, once. */
export function useQuietKeys() {
  useEffect(() => {
    // A dialog that was open when the app was taken away has its last word after it.
    forgetKeys();
    endQuiet();
    takeLetters();
    const listeners = new AbortController();
    const options = { capture: true, signal: listeners.signal };
    window.addEventListener('keydown', press, options);
    window.addEventListener('keydown', pressInVain, { signal: listeners.signal });
    window.addEventListener('keyup', release, options);
    window.addEventListener('pointerdown', point, options);
    window.addEventListener('blur', forgetKeys, { signal: listeners.signal });
    return () => listeners.abort();
  }, []);
}
