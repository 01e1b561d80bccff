import file from './inter-subset.woff2?url';

const key = 'font';

const inter = () => new FontFace('Inter', `url("${file}") format("woff2")`, { weight: '400 600' });

/** Shows the font if this browser has fetched it before: it comes from the cache, in time for the first text. */
export function showKnownFont() {
  if (localStorage.getItem(key) === file) void showFont();
}

/** Fetches the font and applies it to all text. */
export async function showFont() {
  document.fonts.add(await fetchFont());
}

/**
 * Fetches the font for the next visit: the first rows are not delayed, and the font of visible text does not change.
 */
export async function fetchFont(): Promise<FontFace> {
  const font = await inter().load();
  localStorage.setItem(key, file);
  return font;
}
