import type { App, TFile } from 'obsidian';
import { hiddenCharacterProblem, MAX_TITLE_LENGTH } from '../../../model/names.js';
import type { VaultPath } from '../../../model/paths.js';
import { truncate } from '../../../model/text/truncate.js';
import type { Clock } from '../../../platform/clock.js';
import { createEntityId } from '../../../platform/random.js';
import type { TasksNote } from '../../../transfer/mirror/mirror-notes.js';
import { taskDrafts, workspaceTasks, type TaskChange } from '../../../transfer/mirror/task-list.js';
import type { TaskBase } from '../../../transfer/mirror/task-merge.js';
import { isTasksNote, lineChanges, newTasksNote } from '../../../transfer/mirror/task-note.js';
import { TaskNoteSession } from '../../../transfer/mirror/task-session.js';
import { ERROR_NOTICE_MS, MAX_NAME_CHARS, noticeWithUndo, notify } from '../../actions.js';
import { text } from '../../i18n/index.js';
import type { Savepoint } from '../../savepoint.js';
import type { MirrorFiles } from './mirror-files.js';

type Fault = 'longLine' | 'hiddenInLine' | 'unlinkedNote';

const KEY = 'savepoint-tasks';
/** Looks at one note in a row, in which it may change again. */
const MAX_LOOKS = 5;

/** Merges the notes of tasks with the tasks. */
export class TaskNotes {
  readonly #app: App;
  readonly #files: MirrorFiles;
  readonly #clock: Clock;
  #notes: readonly TasksNote[] = [];
  /** By workspace. What note and memory last agreed on outlives the app. */
  readonly #sessions: Map<string, TaskNoteSession>;
  #saved = '';
  /** Faults by note that were said and are not repaired. */
  readonly #said = new Map<VaultPath, ReadonlySet<Fault>>();

  constructor(app: App, files: MirrorFiles, clock: Clock) {
    this.#app = app;
    this.#clock = clock;
    this.#files = files;
    const bases = Object.entries((app.loadLocalStorage(KEY) ?? {}) as Record<string, TaskBase>);
    this.#sessions = new Map(bases.map(([id, base]) => [id, new TaskNoteSession(base)]));
  }

  /** Sets the notes to merge. Of one that is missing, nothing is known when it is written again. */
  follow(notes: readonly TasksNote[], skipped: ReadonlySet<VaultPath>): void {
    for (const { path } of this.#notes)
      if (skipped.has(path)) this.#warn(path, new Map([['unlinkedNote', path]]));
    const ids = new Set(notes.map(({ subject }) => subject.item.id));
    this.#notes = notes;
    for (const id of this.#sessions.keys()) if (!ids.has(id)) this.#sessions.delete(id);
    this.#save();
  }

  /** Looks at a note that is being typed in. Returns false for any other note. */
  onTyped(file: TFile): boolean {
    const note = this.#notes.find(({ path }) => path === file.path);
    const view = note && this.#files.view(file);
    if (view) this.#sessionOf(note.subject.item.id).see(view, this.#clock.now());
    return note !== undefined;
  }

  /** Merges all notes. Resolves with true if something has to wait. */
  async merge(opened: Savepoint): Promise<boolean> {
    let isPending = false;
    for (const note of this.#notes) if (await this.#merge(opened, note)) isPending = true;
    return isPending;
  }

  async #merge(opened: Savepoint, note: TasksNote): Promise<boolean> {
    const { id } = note.subject.item;
    const session = this.#sessionOf(id);
    const create = () => createEntityId(opened.services.random);
    const isElsewhere = (line: string) => this.#notes.some(({ tasks }) => tasks.has(line));
    for (let looks = 0; looks < MAX_LOOKS; looks++) {
      const file = this.#files.find(note.path);
      const view = file && this.#files.view(file, await this.#files.read(file));
      if (!view) return file !== undefined;
      const tasks = workspaceTasks(opened.memory.get(), id);
      if (!isTasksNote(view.text, id, tasks)) {
        if (view.text.trim() !== '') this.#warn(note.path, new Map([['unlinkedNote', note.path]]));
        if (view.isOpen || view.text.trim() !== '') return view.isOpen;
        await this.#files.replace(file, view.text, newTasksNote(id, tasks));
        continue;
      }
      const look = session.look(view, tasks, this.#clock.now(), create, isElsewhere);
      const { changes, out, isPending, refused } = look;
      if (changes.length > 0) {
        await this.#tell(opened, id, changes);
        session.onTold(changes, this.#clock.now());
        continue;
      }
      this.#save();
      this.#warn(note.path, new Map(refused.flatMap(faultOf)), isPending);
      const merged = out.flat().join(view.text.includes('\r\n') ? '\r\n' : '\n');
      if (merged === view.text) return isPending;
      if (view.editor) {
        view.editor.transaction({ changes: lineChanges(view.text.split('\n'), out) }, 'savepoint');
        session.onWritten(view.editor.getValue());
      } else if (await this.#files.replace(file, view.text, merged)) session.onWritten(merged);
    }
    return true;
  }

  /** Writes what a note says to the log. Removed tasks can be restored. */
  async #tell(opened: Savepoint, id: string, changes: readonly TaskChange[]): Promise<void> {
    const { log, device, random } = opened.services;
    const by = { client: device.program, session: createEntityId(random), device: device.name() };
    const write = async (all: readonly TaskChange[]) => {
      await log.write((memory) => ({ drafts: taskDrafts(memory, id, all, by), answer: undefined }));
      await opened.refresh();
    };
    const removed = [...workspaceTasks(opened.memory.get(), id).values()].filter(({ record }) =>
      changes.some((change) => change.id === record.id && !change.values),
    );
    await write(changes);
    const [first] = removed;
    if (!first) return;
    const { archived, ticked } = text.records;
    const message = removed.length > 1 ? ticked(removed.length) : archived(first.record.title);
    const restored = removed.map(({ record, values }) => ({ id: record.id, values }));
    noticeWithUndo(opened, message, () => write(restored));
  }

  /** Says what is wrong with a note, once until it is repaired. */
  #warn(path: VaultPath, faults: ReadonlyMap<Fault, string>, isPending = false): void {
    const said = this.#said.get(path) ?? new Set();
    const added = [...faults].filter(([fault]) => !said.has(fault));
    const message = added.map(([fault, what]) => text.records[fault](what)).join(' ');
    if (message !== '') notify(message, ERROR_NOTICE_MS);
    this.#said.set(path, new Set([...(isPending ? said : []), ...faults.keys()]));
  }

  #sessionOf(id: string): TaskNoteSession {
    const session = this.#sessions.get(id) ?? new TaskNoteSession();
    this.#sessions.set(id, session);
    return session;
  }

  #save(): void {
    const bases = Object.fromEntries([...this.#sessions].map(([id, { base }]) => [id, base]));
    const saved = JSON.stringify(bases);
    if (saved !== this.#saved) this.#app.saveLocalStorage(KEY, bases);
    this.#saved = saved;
  }
}

function faultOf(title: string): [Fault, string][] {
  const line = truncate(title, MAX_NAME_CHARS);
  if (truncate(title, MAX_TITLE_LENGTH) !== title) return [['longLine', line]];
  return hiddenCharacterProblem(title) === undefined ? [] : [['hiddenInLine', line]];
}
