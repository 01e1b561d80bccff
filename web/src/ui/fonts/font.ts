import file from './inter-subset.woff2?url';

const key = 'font';

const inter = () => new FontFace('Inter', `url("${file}") format("woff2")`, { weight: '400 600' });

/** The font, where this browser has fetched it before: from its cache, in time for the first text. */
export function showKnownFont() {
  if (localStorage.getItem(key) === file) void showFont();
}

/** Fetches the font and sets all text in it. */
export async function showFont() {
  document.fonts.add(await fetchFont());
}

/**
 * Fetches the font for the next time: it takes no time from the first rows, and nothing that is being read
 * changes its letters.
 */
export async function fetchFont(): Promise<FontFace> {
  const font = await inter().load();
  localStorage.setItem(key, file);
  return font;
}
