/** The button that opened the dialog may be gone, with the selection or with its line. */
export function restoreFocus() {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.getElementById('content')?.focus();
  });
}
