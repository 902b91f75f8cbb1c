import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/event.js';
import { apply, emptyMemory, fold, type Memory } from '../../../src/model/memory.js';
import { stateData } from '../../../src/model/state.js';
import { NoteMirror } from '../../../src/obsidian/memory/mirror/note-mirror.js';
import type { MemoryStatus, Savepoint } from '../../../src/obsidian/savepoint.js';
import { createStore } from '../../../src/obsidian/store.js';
import { createTestClock } from '../../fakes/deterministic.js';
import { clockText, contentOf, eventOf, recordDraft, workspaceDraft } from '../../fakes/events.js';
import type { MarkdownView } from '../../host/obsidian/markdown-view.js';
import { becomeRenderer } from '../../host/node-window.js';
import { startHost } from '../../host/obsidian/start.js';
import { createHost, MemoryMedium, type FileSet } from '../../host/obsidian/index.js';
import { createFolder } from '../../node/folders.js';

vi.mock('obsidian', () => import('../../host/obsidian/documented.js'));
becomeRenderer({ storageFile: join(createFolder(), 'storage.json'), require: null });

const FOLDER = 'Savepoint/notes/Garden';
const PLAN = `${FOLDER}/Plan.md`;
const BEDS = `${FOLDER}/Beds.md`;
const EDITED = `${FOLDER}/Plan (edited).md`;
const [ORCHARD_BEDS, ORCHARD_PLAN] = ['Beds', 'Plan'].map(
  (name) => `Savepoint/notes/Orchard/${name}.md`,
) as [string, string];

const event = (n: number, t: string, e: string, d: JsonObject) =>
  eventOf({ t, e, d, n, h: clockText(n) });
const renamed = (memory: Memory, name: string) =>
  apply(memory, event(8, 'set', 'ws', { '/name': name }));
const archived = (memory: Memory) =>
  apply(memory, event(9, 'set', 'plan', { '/isArchived': true }));

/** Returns a memory with the states "Plan" and "Beds" in the workspace "Garden". */
function garden(): Memory {
  const { t, e, d } = workspaceDraft('Garden', 'ws');
  return fold(emptyMemory, [
    event(1, t, e, d),
    event(2, 'state.new', 'plan', stateData('ws', contentOf('Plan', { tags: ['spring'] }), 'a')),
    event(3, 'state.new', 'beds', stateData('ws', contentOf('Beds'), 'b')),
  ]);
}

/** Starts a mirror, which is on, over a vault with these files. */
async function startMirror(files: FileSet = {}, memory = garden()) {
  const host = await startHost(files);
  const { app } = host;
  app.saveLocalStorage('savepoint-mirror', true);
  const clock = createTestClock();
  const stored = createStore(memory);
  const opened = {
    services: { dataFolder: 'Savepoint' },
    memory: stored,
    memoryStatus: createStore<MemoryStatus>({ phase: 'ready' }),
  };
  const errors: unknown[] = [];
  const mirror = new NoteMirror({
    app: app as never,
    savepoint: createStore<Savepoint | undefined>(opened as unknown as Savepoint),
    clock,
    yieldToHost: () => Promise.resolve(),
    report: (error) => errors.push(error),
  });
  const stop = mirror.start();
  /** Runs the passes that are due. */
  const settle = async () => {
    clock.advance(1_000);
    await mirror.whenIdle();
    expect(errors).toEqual([]);
  };
  await settle();
  return {
    app,
    mirror,
    settle,
    /** Closes the app and returns the files of the vault. */
    async quit() {
      stop();
      await host.dispose();
      return host.medium.snapshot();
    },
    setMemory: (next: Memory) => stored.set(next),
    read: (path: string) => app.vault.adapter.read(path),
    paths: () =>
      app.vault
        .getMarkdownFiles()
        .map(({ path }) => path)
        .sort(),
    edit: async (path: string, change: (text: string) => string) => {
      await app.vault.process(app.vault.getFileByPath(path)!, change);
    },
  };
}

/** Returns the files after a change to one of them. */
function editedIn(files: FileSet, path: string, change: (text: string) => string): FileSet {
  const file = files[path];
  if (typeof file !== 'object' || !('text' in file)) throw new Error(`${path} is not a text`);
  return { ...files, [path]: change(file.text) };
}

const addLine = (text: string) => `${text}\nA thought of mine.\n`;

const rate = (text: string) => text.replace('\ntask:', '\nrating: 5\ntask:');
const tag = (text: string) => text.replace('  - "spring"\n', '  - "spring"\n  - mine\n');
const notices = () =>
  Array.from(document.querySelectorAll('.notice-message'), (el) => el.textContent);

/** Presses Undo in the last notice, and waits for what follows. */
async function undo(settle: () => Promise<void>): Promise<void> {
  const buttons = document.querySelectorAll<HTMLElement>(
    '.notice .savepoint-notice-buttons button',
  );
  buttons[buttons.length - 1]!.click();
  await settle();
}

test('files are followed from when the layout is ready, and not after a stop', async () => {
  const listeners = async (isStopped: boolean) => {
    const host = createHost({ medium: new MemoryMedium({ 'A.md': '' }) });
    const { app } = host;
    const mirror = new NoteMirror({
      app: app as never,
      savepoint: createStore<Savepoint | undefined>(undefined),
      clock: createTestClock(),
      yieldToHost: () => Promise.resolve(),
      report: () => undefined,
    });
    const followed = vi.spyOn(app.vault, 'on');
    const stop = mirror.start();
    const before = followed.mock.calls.length;
    if (isStopped) stop();
    await host.layoutReady();
    const after = followed.mock.calls.filter(([name]) => name === 'modify').length;
    await host.dispose();
    return { before, after };
  };
  const [running, stopped] = [await listeners(false), await listeners(true)];
  expect([running.before, stopped.before]).toEqual([0, 0]);
  expect(running.after - stopped.after).toBe(1);
});

describe('an edited note', () => {
  test('is kept under another name, and the note is written again', async () => {
    const { edit, read, settle, paths } = await startMirror();
    const written = await read(PLAN);
    await edit(PLAN, addLine);
    await settle();
    expect(await read(EDITED)).toBe(addLine(written));
    expect(await read(PLAN)).toBe(written);
    expect(paths()).toEqual([BEDS, EDITED, PLAN]);
    expect(notices()).toEqual([
      'Savepoint writes the note "Plan". Your edited version is now "Plan (edited)".',
    ]);
  });

  test('keeps its tab, so that nothing that is being typed is lost', async () => {
    const { app, edit, settle } = await startMirror();
    const file = app.vault.getFileByPath(PLAN)!;
    await edit(PLAN, addLine);
    await settle();
    expect(file.path).toBe(EDITED);
  });

  test('gets a number if there are copies already', async () => {
    const { edit, read, settle, paths } = await startMirror({ [EDITED]: 'mine' });
    for (const line of ['One', 'Two']) {
      await edit(PLAN, (text) => `${text}${line}\n`);
      await settle();
    }
    expect(paths()).toEqual([
      BEDS,
      `${FOLDER}/Plan (edited 2).md`,
      `${FOLDER}/Plan (edited 3).md`,
      EDITED,
      PLAN,
    ]);
    expect(await read(EDITED)).toBe('mine');
    expect(await read(`${FOLDER}/Plan (edited 3).md`)).toMatch(/\nTwo\n$/);
  });

  test('is kept if it was edited while the app was closed', async () => {
    const first = await startMirror();
    const second = await startMirror(
      editedIn(await first.quit(), PLAN, addLine),
      archived(garden()),
    );
    expect(await second.read(EDITED)).toMatch(/A thought of mine/);
    expect(await second.read(PLAN)).toMatch(/\narchived: true\n/);
  });

  test('shares one notice with other edited notes', async () => {
    const { edit, settle } = await startMirror();
    for (const path of [PLAN, BEDS]) await edit(path, addLine);
    await settle();
    expect(notices()).toEqual([
      expect.stringMatching(/Your versions are now "(Plan|Beds) \(edited\)" and 1 more\.$/),
    ]);
  });

  test('is left alone if it is edited each time it is written', async () => {
    const { app, mirror, edit, settle, paths, read } = await startMirror();
    app.vault.on('create', (file: { path: string }) => {
      if (file.path === PLAN) void edit(PLAN, addLine);
    });
    await edit(PLAN, addLine);
    for (let passes = 0; passes < 8; passes++) await settle();
    expect(paths()).toHaveLength(5);
    expect(await read(PLAN)).toMatch(/A thought of mine/);
    expect(mirror.status.get()).toMatchObject({ phase: 'done', notes: 1, leftAlone: 1 });
  });

  test('survives turning the mirror off and removing the notes', async () => {
    const { mirror, edit, read, paths } = await startMirror();
    await edit(PLAN, addLine);
    mirror.turn(false);
    expect(await mirror.clear()).toBe(1);
    expect(paths()).toEqual([PLAN]);
    expect(await read(PLAN)).toMatch(/A thought of mine/);
  });

  test('survives in its folder if its workspace was renamed', async () => {
    const first = await startMirror();
    const { paths, read } = await startMirror(
      editedIn(await first.quit(), PLAN, addLine),
      renamed(garden(), 'Orchard'),
    );
    expect(paths()).toEqual([PLAN, ORCHARD_BEDS, ORCHARD_PLAN]);
    expect(await read(PLAN)).toMatch(/A thought of mine/);
  });

  test('stays at the path of another state, whose note gets another name', async () => {
    const first = await startMirror();
    const foreign = addLine(await first.read(BEDS));
    const { paths, read } = await startMirror(editedIn(await first.quit(), PLAN, () => foreign));
    expect(paths()).toEqual([BEDS, `${FOLDER}/Plan (2).md`, PLAN]);
    expect(await read(PLAN)).toBe(foreign);
  });
});

describe('a folder', () => {
  const foldersOf = ({ app }: Awaited<ReturnType<typeof startMirror>>) =>
    app.vault
      .getAllFolders()
      .flatMap(({ path }) => (path.startsWith('Savepoint/notes/') ? [path.slice(16)] : []))
      .sort();
  const withTask = () => {
    const { t, e, d } = recordDraft('Dig', 'dig', { ws: 'ws' });
    return apply(garden(), event(4, t, e, d));
  };

  test('is removed with its inner one once its workspace has another name', async () => {
    const mirror = await startMirror({}, withTask());
    expect(foldersOf(mirror)).toEqual(['Garden', 'Garden/Records']);
    mirror.setMemory(renamed(withTask(), 'Orchard'));
    await mirror.settle();
    expect(foldersOf(mirror)).toEqual(['Orchard', 'Orchard/Records']);
  });

  test('is removed if its last note was forgotten, and stays if it has something', async () => {
    const mirror = await startMirror();
    const { vault } = mirror.app;
    for (const name of ['Former', 'Mine']) {
      await vault.createFolder(`Savepoint/notes/${name}`);
      await vault.create(`Savepoint/notes/${name}/x.png`, '');
    }
    await vault.createFolder('Savepoint/notes/Former/Records');
    await mirror.settle();
    expect(foldersOf(mirror)).toEqual(['Former', 'Former/Records', 'Garden', 'Mine']);
    await vault.adapter.remove('Savepoint/notes/Former/x.png');
    await mirror.settle();
    expect(foldersOf(mirror)).toEqual(['Garden', 'Mine']);
  });

  test('is removed if it was emptied while the app was closed', async () => {
    expect(foldersOf(await startMirror({ 'Savepoint/notes/Former/Records/': '' }))).toEqual([
      'Garden',
    ]);
  });
});

describe('Undo', () => {
  test('gives the edited note its name back, as the user’s own', async () => {
    const { edit, read, settle, paths } = await startMirror();
    const written = await read(PLAN);
    await edit(PLAN, addLine);
    await settle();
    await undo(settle);
    await settle();
    expect(paths()).toEqual([BEDS, `${FOLDER}/Plan (2).md`, PLAN]);
    expect(await read(PLAN)).toMatch(/^---\nname: "Plan"\n[^>]*A thought of mine\.\n$/);
    expect(await read(`${FOLDER}/Plan (2).md`)).toBe(written);
  });

  test('keeps the copy if the note was edited again, and says so', async () => {
    const { edit, read, settle, paths } = await startMirror();
    await edit(BEDS, addLine);
    await settle();
    await edit(BEDS, rate);
    await undo(settle);
    expect(paths()).toEqual([`${FOLDER}/Beds (edited).md`, BEDS, PLAN]);
    expect(await read(BEDS)).toMatch(/\nrating: 5\n/);
    expect(notices()).toEqual([
      '"Beds" was changed or moved since, so your version is still "Beds (edited)".',
    ]);
  });
});

describe('properties and tags of the user', () => {
  test('survive when the mirror writes the note', async () => {
    const { edit, read, settle, setMemory, paths } = await startMirror();
    await edit(PLAN, (text) => rate(tag(text)));
    await settle();
    setMemory(archived(garden()));
    await settle();
    const text = await read(PLAN);
    expect(text).toMatch(/\narchived: true\n/);
    expect(text).toMatch(/\n {2}- "spring"\n {2}- "mine"\n/);
    expect(text).toMatch(/\nrating: 5\n/);
    expect(paths()).toEqual([BEDS, PLAN]);
    expect(notices()).toEqual([]);
  });

  test('move with the note when its workspace is renamed', async () => {
    const { edit, read, settle, setMemory, paths } = await startMirror();
    await edit(PLAN, rate);
    await settle();
    setMemory(renamed(garden(), 'Orchard'));
    await settle();
    expect(paths()).toEqual([ORCHARD_BEDS, ORCHARD_PLAN]);
    expect(await read(ORCHARD_PLAN)).toMatch(/\nworkspace: "Orchard"\n[^]*\nrating: 5\n/);
  });

  test('protect their note when the mirror removes its notes', async () => {
    const { mirror, edit, paths } = await startMirror();
    await edit(PLAN, tag);
    await edit(BEDS, rate);
    mirror.turn(false);
    expect(await mirror.clear()).toBe(0);
    expect(paths()).toEqual([BEDS, PLAN]);
  });

  test('do not cause the mirror to write', async () => {
    const { edit, read, settle } = await startMirror();
    await edit(PLAN, rate);
    const before = await read(PLAN);
    await settle();
    expect(await read(PLAN)).toBe(before);
  });
});

describe('records', () => {
  const BASE = 'Savepoint/notes/Savepoint.base';
  const SOW = `${FOLDER}/Records/Sow.md`;
  const withRecord = (memory: Memory) =>
    apply(memory, event(10, 'record.new', 'sow', recordDraft('Sow', 'sow', { ws: 'ws' }).d));
  const done = (memory: Memory) => apply(memory, event(11, 'set', 'sow', { '/status': 'done' }));

  test('become notes that follow their status, and get a base', async () => {
    const { settle, setMemory, read, paths } = await startMirror();
    expect(paths()).not.toContain(SOW);
    setMemory(withRecord(garden()));
    await settle();
    expect(await read(SOW)).toContain('status: "open"');
    expect(await read(BASE)).toContain('name: Open questions');
    setMemory(done(withRecord(garden())));
    await settle();
    expect(await read(SOW)).toContain('status: "done"');
  });

  test('keep a base that the user has changed, also when notes are removed', async () => {
    const { app, mirror, edit, settle, setMemory, read, paths } = await startMirror(
      {},
      withRecord(garden()),
    );
    await edit(BASE, (text) => text.replace('Decisions', 'My decisions'));
    setMemory(done(withRecord(garden())));
    await settle();
    expect(await read(BASE)).toContain('My decisions');
    mirror.turn(false);
    await mirror.clear();
    expect(paths()).toEqual([]);
    expect(app.vault.getFileByPath(BASE)).not.toBeNull();
  });

  test('lose an untouched base when notes are removed', async () => {
    const { app, mirror } = await startMirror({}, withRecord(garden()));
    expect(app.vault.getFileByPath(BASE)).not.toBeNull();
    mirror.turn(false);
    await mirror.clear();
    expect(app.vault.getFileByPath(BASE)).toBeNull();
  });
});

describe('a note of another device', () => {
  test('is not taken for an edited one', async () => {
    const other = await startMirror({}, archived(garden()));
    const foreign = await other.read(PLAN);
    await other.quit();
    const { app, read, settle, paths } = await startMirror();
    await app.vault.adapter.write(PLAN, foreign);
    await settle();
    expect(await read(PLAN)).toBe(foreign);
    expect(paths()).toEqual([BEDS, PLAN]);
    expect(notices()).toEqual([]);
  });

  test('whose state is unknown here is neither replaced nor removed', async () => {
    const stranger = 'Savepoint/notes/Garden/Later.md';
    const later = event(5, 'state.new', 'later', stateData('ws', contentOf('Later'), 'c'));
    const other = await startMirror({}, apply(garden(), later));
    const text = await other.read(stranger);
    await other.quit();
    const { mirror, read, paths } = await startMirror({ [stranger]: text, [PLAN]: text });
    expect(paths()).toEqual([BEDS, stranger, `${FOLDER}/Plan (2).md`, PLAN]);
    expect(await read(PLAN)).toBe(text);
    mirror.turn(false);
    await mirror.clear();
    expect(paths()).toEqual([stranger, PLAN]);
  });
});

test('a note in which the user is typing is not written until that is saved', async () => {
  const { app, read, settle, setMemory } = await startMirror();
  const leaf = app.workspace.getLeaf('tab');
  await leaf.openFile(app.vault.getFileByPath(PLAN)!);
  const view = leaf.view as MarkdownView;
  view.editor.setValue(addLine(view.editor.getValue()));
  setMemory(archived(renamed(garden(), 'Orchard')));
  await settle();
  expect(view.editor.getValue()).toMatch(/A thought of mine/);
  await view.save();
  await settle();
  expect(await read(PLAN)).toMatch(/A thought of mine/);
  setMemory(archived(garden()));
  await settle();
  expect(await read(EDITED)).toMatch(/A thought of mine/);
  expect(await read(PLAN)).toMatch(/\narchived: true\n/);
});

test('a note that changes while it is being written is read again', async () => {
  const { app, read, settle, setMemory } = await startMirror();
  const { vault } = app;
  const process = vault.process.bind(vault);
  vi.spyOn(vault, 'process').mockImplementationOnce(async (file, change) => {
    await process(file, addLine);
    return process(file, change);
  });
  setMemory(archived(garden()));
  await settle();
  await settle();
  expect(await read(EDITED)).toMatch(/A thought of mine/);
  expect(await read(PLAN)).toMatch(/\narchived: true\n/);
});
