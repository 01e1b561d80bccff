import file from './inter-subset.woff2?url';

const key = 'font';

/** Shows the font if this browser has fetched it before: it comes from the cache, in time for the first text. */
export function showKnownFont() {
  if (localStorage.getItem(key)) void showFont();
}

/** Fetched by the login and not by the screens, whose first rows it would delay. Without it, the system font stays. */
export async function showFont() {
  const font = new FontFace('Inter', `url("${file}") format("woff2")`, { weight: '400 600' });
  try {
    document.fonts.add(await font.load());
    localStorage.setItem(key, 'known');
  } catch {
    // The next login tries again.
  }
}
