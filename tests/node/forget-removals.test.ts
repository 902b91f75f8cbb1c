import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Draft, Json } from '../../src/model/event.js';
import { allStates } from '../../src/model/lookup.js';
import {
  CHANGES_FOLDER,
  createFolderChangeStore,
} from '../../src/node/chat-agents/change-store.js';
import { createForgetStoreFile, removeDerived } from '../../src/node/forget-store-file.js';
import { createFolderFiles } from '../../src/node/ports/folder-files.js';
import { FolderCopies } from '../../src/node/ports/folder-copies.js';
import { createFolderIdentities } from '../../src/node/ports/state-folder.js';
import { forgetKey } from '../../src/storage/forget/forget-event.js';
import type { Removal } from '../../src/storage/forget/due-lines.js';
import type { Log } from '../../src/storage/vault-log.js';
import { readLogLines } from '../../src/storage/log-lines.js';
import { createLog } from '../../src/storage/vault-log.js';
import { mirrorFolder, mirrorNotes } from '../../src/transfer/mirror/mirror-notes.js';
import { mirrorText } from '../../src/transfer/mirror/mirror-text.js';
import { removeNotes } from '../../src/transfer/mirror/remove-notes.js';
import { createTestClock } from '../fakes/deterministic.js';
import { recordDraft, stateDraft } from '../fakes/events.js';
import { Partner, PARTNER_FILE } from '../storage/forget/partner.js';
import { createFolder, node } from './folders.js';

const ROOT = 'Savepoint';
const JUNK = 'Xq7-umbrella-violin opens the door';
const MINE = '\nMy own thoughts about the beds.\n';

/** A vault on the disk with its state folder, as the program opens it. */
function createDevice() {
  const [vault, stateFolder] = [createFolder(), createFolder()];
  const deviceFolder = join(stateFolder, 'device');
  const files = createFolderFiles(node, vault);
  const clock = createTestClock();
  const removed: Removal[] = [];
  const places = { stateFolder, deviceFolder };
  function open(): Log {
    const log = createLog({
      files,
      root: ROOT,
      clock,
      random: { bytes: (count: number) => node.crypto.randomBytes(count) },
      identities: createFolderIdentities(node, stateFolder),
      copies: new FolderCopies(node, { vault, stateFolder, deviceFolder }),
      forgetStore: createForgetStoreFile(node, deviceFolder),
      async onDestroy(removals) {
        removed.push(...removals);
        await removeDerived(node, places, removals);
        await removeNotes(files, ROOT, removals);
      },
      app: 'savepoint/test',
      device: 'laptop',
      warn: () => undefined,
    });
    onTestFinished(() => log.close());
    return log;
  }
  async function put(log: Log, ...drafts: Draft[]): Promise<void> {
    await log.write(() => ({ drafts, answer: true }));
  }
  /** Writes the notes of all items as Obsidian's mirror does. Returns their paths by id. */
  async function mirror(log: Log): Promise<Map<string, string>> {
    const paths = new Map<string, string>();
    for (const note of mirrorNotes(await log.memory(), mirrorFolder(ROOT))) {
      if (!note) continue;
      const path = join(vault, note.path);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, (await mirrorText(note)).text);
      paths.set(note.kind === 'tasks' ? 'tasks' : note.subject.item.id, path);
    }
    return paths;
  }
  async function linesOf(...ids: string[]) {
    const { lines } = await readLogLines(files, ROOT);
    return lines.filter(({ event }) => ids.includes(event.e));
  }
  function putPartner(partner: Partner): void {
    const path = join(vault, PARTNER_FILE);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, partner.bytes);
  }
  return { vault, files, clock, removed, open, put, mirror, linesOf, putPartner };
}

/** A device with two states and a task, and junk of a partner who asks to remove that. */
async function createAsked(more: Readonly<Record<string, Json>> = {}) {
  const device = createDevice();
  const log = device.open();
  const beds = recordDraft('Plan the beds', 'task-beds');
  await device.put(log, await stateDraft('one'), await stateDraft('two'), beds);
  const partner = new Partner(() => device.clock.now());
  const junk = partner.write(await stateDraft('junk', 'junk', 'default', { activeTask: JUNK }));
  const other = partner.write(recordDraft(`Record: ${JUNK}`, 'junk-task'));
  device.putPartner(partner);
  const notes = await device.mirror(log);
  const noteOf = (id: string) => notes.get(id) ?? 'none';
  for (const id of ['st-one', 'junk-task']) {
    const text = readFileSync(noteOf(id), 'utf8');
    writeFileSync(noteOf(id), `${text}${MINE}`);
  }
  const event = partner.forget([junk, other], more);
  device.putPartner(partner);
  const key = forgetKey(event.event);
  return { ...device, log, noteOf, key, partner };
}

describe('Notes, once the user agrees to what a partner asks to remove,', () => {
  it.each<[string, Readonly<Record<string, Json>>]>([
    ['its items', {}],
    ['those of others', { entities: ['st-one', 'st-two', 'task-beds', 'default', ''] }],
  ])('go only if they are of the named lines and as they were written: %s', async (_, more) => {
    const { log, key, noteOf, removed, vault } = await createAsked(more);
    const before = ['st-one', 'st-two', 'task-beds'].map((id) => readFileSync(noteOf(id), 'utf8'));
    await log.memory();
    const report = await log.forgetting.decide([key], 'agreed');
    expect(removed.flatMap(({ ids }) => ids).toSorted()).toEqual(['junk', 'junk-task']);
    expect(existsSync(noteOf('junk'))).toBe(false);
    const edited = noteOf('junk-task');
    expect(readFileSync(edited, 'utf8')).toContain(MINE);
    expect(report.remaining).toContain(edited.slice(vault.length + 1));
    expect(['st-one', 'st-two', 'task-beds'].map((id) => readFileSync(noteOf(id), 'utf8'))).toEqual(
      before,
    );
  });

  it('stay if the partner has created their items again', async () => {
    const { log, linesOf, noteOf, partner, putPartner, removed } = await createAsked();
    const again = partner.write(await stateDraft('again', 'st-two'));
    const event = partner.forget([again]);
    putPartner(partner);
    await log.memory();
    await log.forgetting.decide([forgetKey(event.event)], 'agreed');
    expect(removed.flatMap(({ ids }) => ids)).toEqual([]);
    expect(existsSync(noteOf('st-two'))).toBe(true);
    expect(await linesOf('st-two')).toHaveLength(1);
    const names = allStates(await log.memory(), 'default').map(({ item }) => item.name);
    expect(names).toContain('two');
  });
});

it('the own Forget removes a note as it was written, and names an edited one', async () => {
  const device = createDevice();
  const log = device.open();
  const secret = await stateDraft('secret', 'st-secret', 'default', { activeTask: JUNK });
  const task = recordDraft(`Task: ${JUNK}`, 'task');
  await device.put(log, await stateDraft('one'), secret, task);
  const notes = await device.mirror(log);
  const edited = notes.get('st-secret')!;
  writeFileSync(edited, `${readFileSync(edited, 'utf8')}${MINE}`);
  const lines = await device.linesOf('st-secret', 'task');
  const report = await log.forgetting.forget(lines, true);
  expect(existsSync(notes.get('task')!)).toBe(false);
  expect(existsSync(notes.get('st-one')!)).toBe(true);
  expect(readFileSync(edited, 'utf8')).toContain(MINE);
  expect(report.remaining).toEqual([edited.slice(device.vault.length + 1)]);
});

it('Only those contents that undo changes of agents are removed that hold the text', async () => {
  const folder = createFolder();
  const changes = createFolderChangeStore(node, join(folder, CHANGES_FOLDER));
  const [held, other, latin] = [`I wrote: ${JUNK}\n`, 'My own text\n', 'caf\u00e9\n'];
  const hashes = [
    await changes.put(Buffer.from(held)),
    await changes.put(Buffer.from(`\u{FEFF}${held}`, 'utf16le')),
    await changes.put(Buffer.from(other)),
    await changes.put(Buffer.from(latin, 'latin1')),
  ];
  const removal = { hashes: new Set<string>(), ids: [], turns: [] };
  const isIn = (text: string) => text.includes(JUNK);
  await removeDerived(node, { stateFolder: folder, deviceFolder: folder }, [{ ...removal, isIn }]);
  const kept = await Promise.all(
    hashes.map(async (hash) => (await changes.get(hash)) !== undefined),
  );
  expect(kept).toEqual([false, false, true, true]);
});
