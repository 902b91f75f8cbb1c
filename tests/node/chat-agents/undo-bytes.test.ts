import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { ChangeTracker } from '../../../src/acp/changes/change-tracker.js';
import { createFolderChangeStore } from '../../../src/node/chat-agents/change-store.js';
import {
  MAX_BYTES,
  createVaultTexts,
  type VaultTexts,
} from '../../../src/node/chat-agents/vault-texts.js';
import { NOOP_SCHEDULER } from '../../../src/platform/scheduler.js';
import { encodedTexts, randomFiles } from '../../fakes/encoded-texts.js';
import { perTier } from '../../tier.js';
import { createFolder, node } from '../folders.js';

let vault: string;
let texts: VaultTexts;
let tracker: ChangeTracker;

beforeEach(() => {
  vault = createFolder();
  texts = createVaultTexts(node, { vault, protectedFolders: [], excludedFolders: () => [] });
  tracker = new ChangeTracker(
    {
      list: (folder) => texts.list(folder),
      isTracked: (path) => texts.isTracked(path),
      read: (path) => texts.read(path),
      ownWrites: () => undefined,
      replace: (path, _, changed) => texts.write(path, changed).then(() => true),
    },
    createFolderChangeStore(node, createFolder()),
    { now: () => Date.now() },
    NOOP_SCHEDULER,
    () => undefined,
  );
});

const WAYS: readonly (readonly [string, (file: string, before: Uint8Array) => void])[] = [
  ['edited', (file, before) => writeFileSync(file, Buffer.concat([before, Buffer.of(0xe9, 0x0a)]))],
  ['rewritten', (file) => writeFileSync(file, 'Rewritten\n')],
  [
    'rewritten as the text it seems to be',
    (file) => writeFileSync(file, readFileSync(file, 'utf8')),
  ],
  ['deleted', (file) => rmSync(file)],
];

it.each(WAYS)('undoes to the same bytes what an agent has %s', async (_, change) => {
  const files = new Map([...encodedTexts(), ...randomFiles(perTier(20, 200, 200))]);
  for (const [name, bytes] of files) writeFileSync(join(vault, `${name}.md`), bytes);
  await tracker.begin('talk', 't1');
  for (const [name, bytes] of files) change(join(vault, `${name}.md`), bytes);
  await tracker.end('t1');
  const { conflicts, kept, lost } = await tracker.undo('talk', tracker.changes('talk'));
  expect([conflicts, kept, lost]).toEqual([[], [], []]);
  const ruined = [...files].filter(
    ([name, bytes]) => !readFileSync(join(vault, `${name}.md`)).equals(bytes),
  );
  expect(ruined.map(([name]) => name)).toEqual([]);
});

it('undoes to the same bytes a change of any file that the agent has named', async () => {
  const files = randomFiles(20);
  for (const [name, bytes] of files) writeFileSync(join(vault, name), bytes);
  await tracker.begin('talk', 't1');
  for (const [at, name] of [...files.keys()].entries()) {
    expect(await tracker.keep(name)).toBe(true);
    WAYS[at % WAYS.length]![1](join(vault, name), files.get(name)!);
  }
  await tracker.end('t1');
  await tracker.undo('talk', tracker.changes('talk'));
  for (const [name, bytes] of files)
    expect(readFileSync(join(vault, name)).equals(bytes)).toBe(true);
});

it('says before a change of a large file that it cannot be undone', async () => {
  writeFileSync(join(vault, 'large.bin'), new Uint8Array(MAX_BYTES + 1));
  writeFileSync(join(vault, 'full.bin'), new Uint8Array(MAX_BYTES));
  await tracker.begin('talk', 't1');
  expect(await tracker.keep('large.bin')).toBe(false);
  expect(await tracker.keep('full.bin')).toBe(true);
});

it('knows what a link hides', async () => {
  const outside = createFolder();
  mkdirSync(join(vault, 'Notes'));
  writeFileSync(join(outside, 'a.md'), 'Secret');
  symlinkSync(outside, join(vault, 'away'));
  symlinkSync(join(outside, 'a.md'), join(vault, 'Notes/a.md'));
  expect(await texts.read('Notes/a.md')).toBeUndefined();
  expect(await texts.isLinked('Notes/a.md')).toBe(true);
  expect(await texts.isLinked('away/a.md')).toBe(true);
  expect(await texts.isLinked('Notes/b.md')).toBe(false);
});
