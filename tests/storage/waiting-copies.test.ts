import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createFolderCopies } from '../../src/node/ports/folder-copies.js';
import { vaultStateFolder } from '../../src/node/ports/state-folder.js';
import { NOOP_SCHEDULER } from '../../src/platform/scheduler.js';
import { WaitingCopies } from '../../src/storage/waiting-copies.js';
import type { WriterIndex } from '../../src/storage/read/writer-index.js';
import { linesOf } from '../fakes/events.js';
import { createFolder, node } from '../node/folders.js';

const ID = 'aaaabbbbccccdddd';
const FILE = 'Savepoint/core/2026-11/a.jsonl';
const LINES = linesOf(Array.from({ length: 2 }, () => ({ t: 'set', e: 'x', d: {} })));

it('returns what another process copies while the same file is away', async () => {
  const stateFolder = createFolder();
  const vault = join(stateFolder, 'Vault');
  const deviceFolder = vaultStateFolder(node, stateFolder, vault);
  const open = () => {
    const copies = createFolderCopies(node, { stateFolder, deviceFolder, vault });
    onTestFinished(() => copies.close());
    return copies;
  };
  const [copies, others] = [open(), open()];
  const options = { copies, scheduler: NOOP_SCHEDULER };
  const waiting = new WaitingCopies(options, () => Promise.resolve([ID]));
  const writers: WriterIndex = new Map();
  const numbers = async (...files: string[]) =>
    (await waiting.events(files, writers)).map(({ event }) => event.n);
  await others.add(ID, LINES[0]!.bytes, 'own');
  expect(await numbers(FILE)).toEqual([1]);
  expect(await numbers(FILE)).toEqual([]);
  await others.add(ID, LINES[1]!.bytes, 'own');
  expect(await numbers(FILE)).toEqual([2]);
  expect(await numbers()).toEqual([]);
});
