import { createHash } from 'node:crypto';

const hashed = /^(.+-)[\w-]{8}(\.\w+)$/;

/**
 * Computes file names from the final file contents. Vite inserts preload lists into a file after the bundler has hashed
 * it: a change of `modulePreload` changed the content but not the name, and browsers cache a name for a year.
 * A file's hash also covers every file that it references, directly or indirectly, including circular references.
 * @param {ReadonlyMap<string, Buffer>} files
 * @returns {Map<string, string>} each current name with the name that the file should have
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
    // latin1 maps each byte to one character, so binary files such as fonts work too.
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
 * Returns the text with every old name replaced.
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
