// Weighs what a browser loads, from the build's page and manifest: run after `npm run build`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const limits = { firstViewScript: 105, firstView: 150, route: 12, extras: 12, boot: 4 };
const mostFiles = 6;
const dist = 'dist';
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
const page = readFileSync(join(dist, 'index.html'), 'utf8');

const isPacked = (file) => file.endsWith('.woff2');
const isScript = (file) => file.endsWith('.js');
function weigh(files) {
  let bytes = 0;
  for (const file of new Set(files)) {
    const content = readFileSync(join(dist, file));
    bytes += isPacked(file) ? content.length : gzipSync(content).length;
  }
  return bytes / 1024;
}

let isOver = false;
function hold(what, weight, limit, unit = 'KB') {
  const verdict = weight <= limit ? 'ok  ' : 'OVER';
  if (weight > limit) isOver = true;
  console.log(`${verdict} ${weight.toFixed(1).padStart(6)} ${unit} of ${limit} ${unit}  ${what}`);
}

// What the page names itself; the boot script among it fetches the screen's file at the same time.
const named = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file]) => file);
const chunks = Object.values(manifest);
const fonts = chunks.flatMap(({ assets }) => assets ?? []).filter(isPacked);
const screens = chunks.filter(
  ({ isDynamicEntry, src }) => isDynamicEntry && /Screen\.tsx$/.test(src),
);

for (const { name, file, imports = [] } of screens) {
  const files = [...named, file, ...imports.map((key) => manifest[key].file)];
  const first = [...new Set(files)];
  hold(
    `route ${name}`,
    weigh(first.filter((one) => isScript(one) && !named.includes(one))),
    limits.route,
  );
  hold(`first view of ${name}, JavaScript`, weigh(first.filter(isScript)), limits.firstViewScript);
  hold(`first view of ${name}, all`, weigh([...first, ...fonts, 'index.html']), limits.firstView);
  hold(`first view of ${name}, with the page`, first.length + 1, mostFiles, 'files');
}
hold('boot script', weigh(named.filter((file) => /\/boot-/.test(file))), limits.boot);
hold(
  'extras',
  weigh(chunks.filter(({ name }) => name === 'extras').map(({ file }) => file)),
  limits.extras,
);
if (screens.length !== 5) throw new Error(`The build has ${screens.length} screens instead of 5.`);
if (isOver) {
  console.error('The budget is exceeded: see the lines marked OVER.');
  process.exit(1);
}
