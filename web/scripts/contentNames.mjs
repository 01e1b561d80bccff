import { createHash } from 'node:crypto';

const hashed = /^(.+-)[\w-]{8}(\.\w+)$/;

/**
 * Names after what the files really hold, as they are written. Vite writes the lists of what a file fetches ahead into
 * it after the bundler has named it: with another `modulePreload` the content changed and the name did not, and
 * browsers keep a name for a year. A file that names others, which may name it in turn, is named after all of them.
 * @param {ReadonlyMap<string, Buffer>} files
 * @returns {Map<string, string>} each name with the one that it should have
 */
export function contentNames(files) {
  const names = [...files.keys()].sort();
  const stems = new Map(names.map((name) => [name, name.replace(hashed, '$1$2')]));
  if (new Set(stems.values()).size < names.length) {
    throw new Error(`Two files differ in nothing but their mark: ${names.join(', ')}`);
  }
  /** @type {Map<string, string[]>} */
  const mentions = new Map();
  /** @type {Map<string, string>} */
  const digests = new Map();
  for (const [name, content] of files) {
    // A character for each byte: fonts pass through it too.
    const text = content.toString('latin1');
    mentions.set(
      name,
      names.filter((other) => text.includes(other)),
    );
    digests.set(name, digestOf(renamedIn(text, stems)));
  }
  const named = names.map((name) => {
    const parts = [...reachableFrom(name, mentions)].map(
      (other) => `${stems.get(other)} ${digests.get(other)}`,
    );
    const mark = digestOf(`${stems.get(name)} ${parts.sort().join()}`).slice(0, 8);
    return /** @type {const} */ ([name, name.replace(hashed, `$1${mark}$2`)]);
  });
  return new Map(named);
}

/**
 * The text with every old name in it replaced.
 * @param {string} text
 * @param {ReadonlyMap<string, string>} names
 */
export function renamedIn(text, names) {
  let renamed = text;
  for (const [before, after] of names) renamed = renamed.replaceAll(before, after);
  return renamed;
}

/**
 * @param {string} name
 * @param {ReadonlyMap<string, string[]>} mentions
 * @param {Set<string>} found
 */
function reachableFrom(name, mentions, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const other of mentions.get(name) ?? []) reachableFrom(other, mentions, found);
  return found;
}

/** @param {string} text */
const digestOf = (text) => createHash('sha256').update(text, 'latin1').digest('base64url');
