/**
 * A browser reads its tables of languages at the first amount or day that it writes: a twentieth of the time to the
 * first rows. It does so here while it would only wait for the app's files.
 */
export function warmFormats() {
  new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' }).format(0);
  new Intl.DateTimeFormat().format();
}
