/** Passes a file that this page holds to the downloads of the browser. */
export function saveFile(content: Blob, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Later, because some browsers begin to read only after this.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
