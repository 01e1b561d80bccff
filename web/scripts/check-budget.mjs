// Measures what a browser loads before the first rows of each screen, from the built page and manifest, and checks the
// compressed files. Run it after `npm run build`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gzipSync } from 'node:zlib';

const limits = { kilobytes: 130, requests: 6 };
const dist = 'dist';
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
const page = readFileSync(join(dist, 'index.html'), 'utf8');
const ofPage = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file]) => file);

/** The files of a chunk and of all that it imports. */
const filesOf = ({ file, css = [], imports = [] }) => [
  file,
  ...css,
  ...imports.flatMap((key) => filesOf(manifest[key])),
];
const gzipped = (file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length / 1024;

let isOver = false;
const screens = Object.values(manifest).filter(
  // What is loaded later, on request, is no screen.
  ({ isDynamicEntry, name }) => isDynamicEntry && name.endsWith('Screen'),
);
for (const screen of screens) {
  const files = [...new Set([...ofPage, ...filesOf(screen)])];
  const scripts = files.filter((file) => file.endsWith('.js'));
  const kilobytes = scripts.reduce((sum, file) => sum + gzipped(file), 0);
  // With the page itself, its icon and the request for the rows.
  const requests = files.length + 3;
  const isWithin = kilobytes <= limits.kilobytes && requests <= limits.requests;
  if (!isWithin) isOver = true;
  console.log(
    `${isWithin ? 'ok  ' : 'OVER'} ${screen.name}: ${kilobytes.toFixed(1)} KB of JavaScript ` +
      `(at most ${limits.kilobytes}), ${requests} requests until the first rows (at most ${limits.requests})`,
  );
}
if (isOver) {
  console.error('The budget is exceeded: see the lines marked OVER.');
  process.exitCode = 1;
}

/** The server sends the Brotli file in place of this one, without comparing them. */
const hasTrueCopy = (path) =>
  existsSync(`${path}.br`) &&
  brotliDecompressSync(readFileSync(`${path}.br`)).equals(readFileSync(path));
for (const name of readdirSync(join(dist, 'assets')).filter((file) => /\.(js|css)$/.test(file))) {
  if (hasTrueCopy(join(dist, 'assets', name))) continue;
  console.error(`${name}.br is missing, or is not a compressed copy of ${name}.`);
  process.exitCode = 1;
}
