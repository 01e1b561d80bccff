import type { Import, ImportMap, MappedCollection, Noun } from './imports';

/** A collection in the form. */
export interface CollectionDraft {
  readonly name: string;
  readonly noun: Noun | null;
  /** The noun was changed here: its fields are guessed by the server when the files are checked again. */
  readonly isGuessedAnew: boolean;
  /** The source's field for each of ours; empty for none. */
  readonly fields: Readonly<Record<string, string>>;
  readonly defaults: Readonly<Record<string, string>>;
  readonly statuses: Readonly<Record<string, string>>;
  readonly dateFormat: string;
}

export interface MapDraft {
  readonly timeZone: string;
  readonly trim: boolean;
  readonly collections: readonly CollectionDraft[];
}

/** The map as it was checked last. */
export function draftOf({ map, report }: Import): MapDraft {
  return {
    timeZone: typeof map.timeZone === 'string' ? map.timeZone : 'Asia/Kolkata',
    trim: map.trim === true,
    collections: (report?.collections ?? []).map(collectionDraft),
  };
}

function collectionDraft(found: MappedCollection): CollectionDraft {
  const { name, noun, fields, defaults, statuses, dateFormat } = found;
  return {
    name,
    noun,
    isGuessedAnew: false,
    fields,
    defaults: Object.fromEntries(
      Object.entries(defaults).map(([field, value]) => [field, String(value)]),
    ),
    statuses,
    dateFormat: dateFormat ?? '',
  };
}

/** The whole map, as the server takes it and as it is saved. */
export function mapOf({ timeZone, trim, collections }: MapDraft): ImportMap {
  return {
    timeZone,
    trim,
    collections: Object.fromEntries(collections.map((one) => [one.name, correctionOf(one)])),
  } as ImportMap;
}

function correctionOf({ noun, isGuessedAnew, fields, defaults, ...rest }: CollectionDraft) {
  if (noun === null || isGuessedAnew) return { noun };
  const given = Object.entries(defaults).filter(([, value]) => value !== '');
  return {
    noun,
    fields,
    defaults: Object.fromEntries(given),
    statuses: rest.statuses,
    dateFormat: rest.dateFormat.trim() || null,
  };
}

export const withNoun = (draft: CollectionDraft, noun: Noun | null, found: Noun | null) => ({
  ...draft,
  noun,
  isGuessedAnew: noun !== null && noun !== found,
});

/** A map that was saved: any object is sent, because the server checks what is in it. */
export async function readMap(file: File): Promise<ImportMap | string> {
  try {
    const parsed: unknown = JSON.parse((await file.text()).replace(/^\uFEFF/, ''));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch {
    // Said below.
  }
  return `${file.name} is not a map: it must be a JSON file like the one that “Download map” saves.`;
}
