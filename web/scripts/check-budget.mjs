// Weighs what a browser loads, from the build's manifest: run after `npm run build`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const limits = { firstViewScript: 105, firstView: 150, route: 12 };
const dist = 'dist';
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));

const isPacked = (file) => file.endsWith('.woff2');
function weigh(files) {
  let bytes = 0;
  for (const file of new Set(files)) {
    const content = readFileSync(join(dist, file));
    bytes += isPacked(file) ? content.length : gzipSync(content).length;
  }
  return bytes / 1024;
}

function filesOf(key, seen = new Set()) {
  if (seen.has(key)) return [];
  seen.add(key);
  const chunk = manifest[key];
  const own = [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])];
  return [...own, ...(chunk.imports ?? []).flatMap((next) => filesOf(next, seen))];
}

const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
const shell = filesOf(entry);
const scripts = (files) => files.filter((file) => file.endsWith('.js'));
const routes = manifest[entry].dynamicImports;

let isOver = false;
function hold(what, weight, limit) {
  const verdict = weight <= limit ? 'ok  ' : 'OVER';
  if (weight > limit) isOver = true;
  console.log(`${verdict} ${weight.toFixed(1).padStart(6)} KB of ${limit} KB  ${what}`);
}

for (const route of routes) {
  const files = filesOf(route);
  const name = manifest[route].name;
  const added = scripts(files).filter((file) => !shell.includes(file));
  hold(`route ${name}`, weigh(added), limits.route);
  hold(
    `first view of ${name}, JavaScript`,
    weigh(scripts([...shell, ...files])),
    limits.firstViewScript,
  );
  hold(
    `first view of ${name}, all`,
    weigh([...shell, ...files, 'index.html', 'theme.js']),
    limits.firstView,
  );
}
if (isOver) {
  console.error('The budget is exceeded: see the lines marked OVER.');
  process.exit(1);
}
