import { Refusal } from '../../src/model/refusal.js';
import { FileChangedError, type AppendOptions } from '../../src/platform/files.js';
import type { MemoryFiles } from '../fakes/memory-files.js';
import { lineOf } from '../fakes/events.js';
import { createWriterId } from '../../src/platform/random.js';
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

/** Errors as the folder implementation words them. */
const diskFull = () =>
  new Refusal(
    'Cannot write in the vault: the disk is full. Nothing was saved; free some space and try again.',
  );
const ioError = () =>
  new Refusal(
    'Cannot use the vault: the disk reported EIO. Try again; if it keeps failing, check the disk.',
  );

/** An error without a message of its own, as Obsidian's adapter throws. */
function rawError(code: string): Error {
  return Object.assign(new Error(`${code}: something about a file`), { code });
}

/** Faults that change nothing and only throw an error. */
function silentFaults(call: Call): Fault[] {
  const fault = (name: string, error: () => Error) =>
    ({ name: `${call}: ${name}`, call, strike: () => Promise.reject(error()) }) as Fault;
  return [
    fault('the disk answers EIO', ioError),
    fault('an error that nobody put into words', () => rawError('EIO')),
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
  const { bytes } = lineOf({ w: createWriterId(random), t: 'thing.new', e: 'x' });
  const before = (await files.read(path)) ?? new Uint8Array();
  files.put(path, Uint8Array.from([...before, ...bytes]));
}

const isSegment = (path: string) => path.endsWith('.jsonl');

export const FAULTS: readonly Fault[] = [
  ...CALLS.flatMap(silentFaults),
  { name: 'append: the disk is full', call: 'append', strike: () => Promise.reject(diskFull()) },
  {
    name: 'append: the file is not as it was left',
    call: 'append',
    strike: () => Promise.reject(new FileChangedError('Changed')),
  },
  {
    name: 'append: everything is written, then cut back, then an error',
    call: 'append',
    strike: appendAndCutBack,
  },
  appendPart('an empty file is made, then an error', () => 0, {
    isUnclean: false,
    error: diskFull,
  }),
  appendPart('everything is written, then an error', (length) => length, { isUnclean: true }),
  appendPart('half is written, then an error', (length) => length >> 1, {
    isUnclean: true,
    error: diskFull,
  }),
  appendPart('all but the newline is written, then an error', (length) => length - 1, {
    isUnclean: true,
  }),
  {
    name: 'list: an entry has vanished meanwhile, and the adapter fails',
    call: 'list',
    strike: () => Promise.reject(rawError('ENOENT')),
  },
  { name: 'list: answers nothing', call: 'list', strike: () => Promise.resolve([]) },
  {
    name: 'list: leaves an entry out',
    call: 'list',
    strike: async (files, folder) => (await files.list(folder)).slice(1),
  },
  { name: 'stat: finds nothing', call: 'stat', strike: () => Promise.resolve(undefined) },
  { name: 'read: finds nothing', call: 'read', strike: () => Promise.resolve(undefined) },
  {
    name: 'read: half of what is asked for',
    call: 'read',
    async strike(files, path, from) {
      const bytes = await files.read(path, from);
      return bytes?.slice(0, bytes.length >> 1);
    },
  },
  {
    name: 'read: no byte of what is asked for',
    call: 'read',
    strike: () => Promise.resolve(new Uint8Array()),
  },
  {
    name: 'read: the file grows just before',
    call: 'read',
    async strike(files, path, from) {
      if (isSegment(path)) await grow(files, path);
      return files.read(path, from);
    },
  },
  {
    name: 'read: the file grows just after',
    call: 'read',
    async strike(files, path, from) {
      const bytes = await files.read(path, from);
      if (isSegment(path)) await grow(files, path);
      return bytes;
    },
  },
];
