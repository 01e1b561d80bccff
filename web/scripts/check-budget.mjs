// Measures the download size of each screen from the built page and manifest. Run it after `npm run build`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { contentNames } from './contentNames.mjs';

const limits = { firstViewScript: 90, firstView: 96, route: 5.5, extras: 24, boot: 2 };
/** The page, the boot script, the runtime, the shell and its styles, the screen, and the screen's styles, if any. */
const mostFiles = 7;
const dist = 'dist';
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
const page = readFileSync(join(dist, 'index.html'), 'utf8');
const assets = readdirSync(join(dist, 'assets'));

const isPacked = (file) => file.endsWith('.br');
const isFont = (file) => file.endsWith('.woff2');
const isScript = (file) => file.endsWith('.js');

/** The size as served: Brotli from the build if there is one, otherwise gzip by the server; fonts uncompressed. */
function servedSize(file) {
  if (assets.includes(`${file.replace('assets/', '')}.br`)) {
    return readFileSync(join(dist, `${file}.br`)).length;
  }
  const content = readFileSync(join(dist, file));
  return isFont(file) ? content.length : gzipSync(content, { level: 9 }).length;
}
const weigh = (files) =>
  [...new Set(files)].reduce((sum, file) => sum + servedSize(file), 0) / 1024;

let isOver = false;
function hold(what, weight, limit, unit = 'KB') {
  const verdict = weight <= limit ? 'ok  ' : 'OVER';
  if (weight > limit) isOver = true;
  console.log(`${verdict} ${weight.toFixed(1).padStart(6)} ${unit} of ${limit} ${unit}  ${what}`);
}

// The files that the page references. One of them is the boot script, which loads the screen's file in parallel.
const named = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file]) => file);
const chunks = Object.values(manifest);
const screens = chunks.filter(
  ({ isDynamicEntry, src }) => isDynamicEntry && /Screen\.tsx$/.test(src),
);

for (const { name, file, imports = [], css = [] } of screens) {
  const files = [...named, file, ...css, ...imports.map((key) => manifest[key].file)];
  const first = [...new Set(files)];
  const own = first.filter((one) => !named.includes(one));
  hold(`route ${name}`, weigh(own), limits.route);
  hold(`first view of ${name}, JavaScript`, weigh(first.filter(isScript)), limits.firstViewScript);
  hold(`first view of ${name}, all`, weigh([...first, 'index.html']), limits.firstView);
  hold(`first view of ${name}, with the page`, first.length + 1, mostFiles, 'files');
}
hold('boot script', weigh(named.filter((file) => /\/boot-/.test(file))), limits.boot);
const extras = chunks.filter(({ name }) => name === 'extras');
hold('extras', weigh(extras.flatMap(({ file, css = [] }) => [file, ...css])), limits.extras);
if (screens.length !== 7) throw new Error(`The build has ${screens.length} screens instead of 7.`);

const findings = isOver ? ['The budget is exceeded: see the lines marked OVER.'] : [];
const contents = new Map(
  assets.filter((name) => !isPacked(name)).map((name) => [name, readAsset(name)]),
);
for (const [name, due] of contentNames(contents)) {
  if (name !== due) findings.push(`${name} is not named after its content: it would be ${due}.`);
}
for (const name of assets.filter(isPacked)) {
  const whole = contents.get(name.replace(/\.br$/, ''));
  if (!whole?.equals(brotliDecompressSync(readAsset(name)))) {
    findings.push(`${name} is packed from something else.`);
  }
}
for (const [name, content] of contents) {
  if (
    /^shell-.+\.js$/.test(name) &&
    !content.subarray(0, 40).includes('allFunctionsCalledOnLoad')
  ) {
    findings.push(`${name} lost the hint that it is read whole while it arrives.`);
  }
}
function readAsset(name) {
  return readFileSync(join(dist, 'assets', name));
}
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exit(1);
