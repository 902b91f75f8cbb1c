import { stateProperties, type StateProperties } from '../export-notes.js';
import { recordProperties, type RecordProperties } from '../record-notes.js';

const SHARED_KEYS: readonly (keyof StateProperties & keyof RecordProperties)[] = [
  'name',
  'workspace',
  'created',
  'archived',
  'tags',
  'client',
  'device',
];

/** Parts of a note that depend on its kind. */
export interface MirrorFormat<P extends { readonly tags: readonly string[] }> {
  readonly keys: ReadonlySet<string | undefined>;
  readonly write: (values: P) => string;
  /** Returns undefined for values that the mirror does not write. */
  readonly read: (values: Values) => P | undefined;
}

type Values = Readonly<Record<string, unknown>>;

/** Undefined if a property of states and records is missing or has another type. */
function readSharedProperties(values: Values) {
  const { name, workspace, archived, client, device } = values;
  const saver = typeof client === 'string' && typeof device === 'string' && { client, device };
  const created = readDate(values['created']);
  const tags = readTags(values['tags']);
  return typeof name === 'string' &&
    typeof workspace === 'string' &&
    typeof archived === 'boolean' &&
    created &&
    tags
    ? { name, workspace, created, archived, tags, ...saver }
    : undefined;
}

export const STATE_FORMAT: MirrorFormat<StateProperties> = {
  keys: new Set<keyof StateProperties>([...SHARED_KEYS, 'task']),
  write: stateProperties,
  read(values) {
    const shared = readSharedProperties(values);
    const { task } = values;
    return shared && typeof task === 'string' ? { ...shared, task } : undefined;
  },
};

export const RECORD_FORMAT: MirrorFormat<RecordProperties> = {
  keys: new Set<keyof RecordProperties>([...SHARED_KEYS, 'kind', 'status', 'remind']),
  write: recordProperties,
  read(values) {
    const shared = readSharedProperties(values);
    const { kind, status } = values;
    const remind = readDate(values['remind']);
    return shared && typeof kind === 'string' && typeof status === 'string'
      ? { ...shared, kind, status, ...(remind && { remind }) }
      : undefined;
  },
};

function readDate(value: unknown): Date | undefined {
  const date = typeof value === 'string' || value instanceof Date ? new Date(value) : undefined;
  return date && !Number.isNaN(date.getTime()) ? date : undefined;
}

/** Reads tags as Obsidian does: a list, or a text with commas or blanks between tags. */
function readTags(value: unknown): readonly string[] | undefined {
  if (value === null || value === undefined) return [];
  if (typeof value === 'string') return value.split(/[,\s]+/u).filter((tag) => tag !== '');
  if (!Array.isArray(value)) return undefined;
  const tags = value.filter((tag: unknown) => typeof tag === 'string');
  return tags.length === value.length ? tags : undefined; // 007 would lose its zeros
}
