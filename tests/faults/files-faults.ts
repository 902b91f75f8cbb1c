import { Refusal } from '../../src/model/refusal.js';
import {
  FileChangedError,
  FileReplacedError,
  type AppendOptions,
} from '../../src/platform/files.js';
import type { MemoryFiles } from '../fakes/memory-files.js';
import { lineOf } from '../fakes/events.js';
import { createEntityId, createWriterId } from '../../src/platform/random.js';
import { createTestRandom } from '../fakes/deterministic.js';
import type { Call, Fault } from './faulty-files.js';

const CALLS: readonly Call[] = [
  'list',
  'stat',
  'read',
  'append',
  'update',
  'remove',
  'createFolder',
  'isInside',
];

/** Errors with the messages of the folder implementation. */
const diskFull = () =>
  new Refusal(
    'Cannot write in the vault: the disk is full. Nothing was saved; free some space and try again.',
  );
const ioError = () =>
  new Refusal(
    'Cannot use the vault: the disk reported EIO. Try again; if it keeps failing, check the disk.',
  );

/** An error without a user-facing message, as Obsidian's adapter throws. */
function rawError(code: string): Error {
  return Object.assign(new Error(`${code}: something about a file`), { code });
}

/** Faults that change nothing and only throw an error. */
function silentFaults(call: Call): Fault[] {
  const fault = (name: string, error: () => Error) =>
    ({ name: `${call}: ${name}`, call, strike: () => Promise.reject(error()) }) as Fault;
  return [
    fault('fails with an I/O error', ioError),
    fault('fails with a raw EIO error', () => rawError('EIO')),
  ];
}

/** Appends the first `keep(length)` bytes, then throws. */
function appendPart(
  name: string,
  keep: (length: number) => number,
  more: { isUnclean: boolean; error?: () => Error },
): Fault {
  return {
    name: `append: ${name}`,
    call: 'append',
    isUnclean: more.isUnclean,
    async strike(files, path, bytes, { expect }) {
      await files.append(path, bytes.slice(0, keep(bytes.length)), { expect, durable: false });
      throw (more.error ?? ioError)();
    },
  };
}

/** Writes everything, gets an error and undoes the write, as the folder implementation does. */
async function appendAndCutBack(
  files: MemoryFiles,
  path: string,
  bytes: Uint8Array,
  options: AppendOptions,
): Promise<never> {
  const before = (await files.read(path)) ?? new Uint8Array();
  await files.append(path, bytes, options);
  files.put(path, before);
  throw diskFull();
}

const random = createTestRandom(77);

/** Appends a complete line of another writer to a file. */
async function grow(files: MemoryFiles, path: string): Promise<void> {
  const { bytes } = lineOf({
    w: createWriterId(random),
    t: 'thing.new',
    e: createEntityId(random),
  });
  const before = (await files.read(path)) ?? new Uint8Array();
  files.put(path, Uint8Array.from([...before, ...bytes]));
}

const isSegment = (path: string) => path.endsWith('.jsonl');

export const FAULTS: readonly Fault[] = [
  ...CALLS.flatMap(silentFaults),
  {
    name: 'append: fails because the disk is full',
    call: 'append',
    strike: () => Promise.reject(diskFull()),
  },
  {
    name: 'append: fails because the file has changed',
    call: 'append',
    strike: () => Promise.reject(new FileChangedError('Changed')),
  },
  {
    name: 'append: the file is replaced by its old content at that moment',
    call: 'append',
    async strike(files, path, bytes, options) {
      const before = await files.read(path);
      await files.append(path, bytes, options);
      await files.remove(path);
      if (before) files.put(path, before);
      throw new FileReplacedError(path);
    },
  },
  {
    name: 'append: writes everything, undoes it, then throws',
    call: 'append',
    strike: appendAndCutBack,
  },
  appendPart('creates an empty file, then throws', () => 0, {
    isUnclean: false,
    error: diskFull,
  }),
  appendPart('writes everything, then throws', (length) => length, { isUnclean: true }),
  appendPart('writes half, then throws', (length) => length >> 1, {
    isUnclean: true,
    error: diskFull,
  }),
  appendPart('writes everything but the newline, then throws', (length) => length - 1, {
    isUnclean: true,
  }),
  {
    name: 'list: fails with a raw ENOENT error',
    call: 'list',
    strike: () => Promise.reject(rawError('ENOENT')),
  },
  { name: 'list: returns no entries', call: 'list', strike: () => Promise.resolve([]) },
  {
    name: 'list: omits the first entry',
    call: 'list',
    strike: async (files, folder) => (await files.list(folder)).slice(1),
  },
  { name: 'stat: returns undefined', call: 'stat', strike: () => Promise.resolve(undefined) },
  { name: 'read: returns undefined', call: 'read', strike: () => Promise.resolve(undefined) },
  {
    name: 'read: returns half of the bytes',
    call: 'read',
    async strike(files, path, from) {
      const bytes = await files.read(path, from);
      return bytes?.slice(0, bytes.length >> 1);
    },
  },
  {
    name: 'read: returns no bytes',
    call: 'read',
    strike: () => Promise.resolve(new Uint8Array()),
  },
  {
    name: 'read: the file grows just before it is read',
    call: 'read',
    async strike(files, path, from, length) {
      if (isSegment(path)) await grow(files, path);
      return files.read(path, from, length);
    },
  },
  {
    name: 'read: the file grows just after it is read',
    call: 'read',
    async strike(files, path, from, length) {
      const bytes = await files.read(path, from, length);
      if (isSegment(path)) await grow(files, path);
      return bytes;
    },
  },
];
