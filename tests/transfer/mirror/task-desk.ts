import fc from 'fast-check';
import { expect } from 'vitest';
import type { Draft, LogEvent } from '../../../src/model/event.js';
import {
  apply,
  emptyMemory,
  withReplacedVersions,
  type Memory,
} from '../../../src/model/memory.js';
import { allRecords } from '../../../src/model/records/lookup-record.js';
import { checksum, readBoxes, valuesOf } from '../../../src/transfer/mirror/task-line.js';
import { taskDrafts, workspaceTasks } from '../../../src/transfer/mirror/task-list.js';
import { isAsWritten, lineChanges, newTasksNote } from '../../../src/transfer/mirror/task-note.js';
import { TaskNoteSession } from '../../../src/transfer/mirror/task-session.js';
import {
  clockText,
  eventOf,
  recordDraft,
  workspaceDraft,
  WRITER_A,
  WRITER_B,
} from '../../fakes/events.js';

const BY = { client: 'Test', session: 's', device: 'Laptop' };

/** A log, the note, an editor that may have text that is not saved, and the time. */
export class Desk {
  memory: Memory;
  file: string;
  /** Text and cursor of the open editor; undefined while the note is closed or only read. */
  editor: { text: string; cursor: number } | undefined;
  isReading = false;
  now = 1_000_000;
  session: TaskNoteSession;
  /** Time and id of each event that a line of the note has caused. */
  readonly told: { readonly at: number; readonly id: string }[] = [];
  /** Lines of the log that are known here. */
  readonly log: LogEvent[] = [];
  writer = WRITER_A;
  /** The marked words that a person has typed. */
  readonly typed: string[] = [];
  #ids = 0;

  constructor(titles: readonly string[]) {
    this.memory = emptyMemory;
    this.write(workspaceDraft('Garden', 'ws'));
    for (const title of titles) this.write(recordDraft(title, this.newId(), { ws: 'ws' }));
    this.file = newTasksNote('ws', this.tasks());
    this.session = new TaskNoteSession();
    this.merge();
  }

  get text(): string {
    return this.editor?.text ?? this.file;
  }

  tasks = () => workspaceTasks(this.memory, 'ws');

  newId = () => `t${String(this.#ids++).padStart(7, '0')}`;

  write(...drafts: Draft[]): void {
    for (const draft of drafts) {
      const n = this.log.length + 1;
      const fields = { ...withReplacedVersions(this.memory, draft), n, w: this.writer };
      this.receive([eventOf({ ...fields, h: clockText(n) })]);
    }
  }

  /** Reads lines of the log, which another device may have written. */
  receive(events: readonly LogEvent[]): void {
    for (const event of events.filter((each) => !this.log.includes(each))) {
      this.log.push(event);
      this.memory = apply(this.memory, event);
    }
  }

  /** Returns a second device with the same log and note. */
  second(): Desk {
    const desk = new Desk([]);
    [desk.log.length, desk.memory, desk.writer] = [0, emptyMemory, WRITER_B];
    desk.receive(this.log);
    [desk.file, desk.#ids, desk.now] = [this.file, 5_000_000, this.now];
    desk.session = new TaskNoteSession();
    desk.merge();
    return desk;
  }

  view() {
    const { text, cursor } = this.editor ?? { text: this.file, cursor: -1 };
    const line = text.slice(0, Math.max(cursor, 0)).split('\n').length - 1;
    return {
      text,
      cursor: this.editor ? ([line, line] as const) : undefined,
      isOpen: this.isReading || this.editor !== undefined,
    };
  }

  /** Merges as the app does: events first, then the lines, until nothing is left to do. */
  merge(): boolean {
    for (let looks = 0; looks < 20; looks++) {
      const view = this.view();
      const { changes, out, isPending } = this.session.look(
        view,
        this.tasks(),
        this.now,
        this.newId,
      );
      if (changes.length > 0) {
        const drafts = taskDrafts(this.memory, 'ws', changes, BY);
        this.write(...drafts);
        this.session.onTold(changes, this.now);
        for (const { id } of changes) this.told.push({ at: this.now, id });
        continue;
      }
      const merged = out.flat().join('\n');
      if (merged === view.text) return isPending;
      if (!isAsWritten(view.text) || view.cursor) this.#expectKept(view.text.split('\n'), out);
      if (this.editor) this.#edit(view.text, out);
      else this.file = merged;
      this.session.onWritten(this.text);
    }
    throw new Error('The note and the tasks never agree');
  }

  /** Words of a line go only if nobody changed them here, and the memory has others or none. */
  #expectKept(lines: readonly string[], out: readonly string[][]): void {
    const boxes = new Map(readBoxes(lines).map((box) => [box.at, box]));
    const wordsOf = (text: string) => readBoxes([text])[0]?.text ?? text;
    const letters = (text: string) => [...text.replace(/\\|\s/gu, '')];
    for (const [at, line] of lines.entries()) {
      const [kept = ''] = out[at]!;
      const box = boxes.get(at);
      const left = letters(kept);
      const isLost = (letter: string) => left.splice(left.indexOf(letter), 1)[0] !== letter;
      if (!letters(line).some(isLost)) continue;
      if (wordsOf(kept) === wordsOf(line) || line.startsWith('savepoint: ')) continue;
      const isGone = ([id, { isListed }]: [string, { isListed: boolean }]) =>
        !isListed && this.session.base[id]?.[0] === checksum([valuesOf(box!, '')[0]]);
      if (kept === '' && [...this.tasks()].some(isGone)) continue; // a copy whose task was archived
      const task = this.tasks().get(box?.id ?? '');
      const known = this.session.base[box?.id ?? ''];
      expect([box?.id, known?.[0]]).toEqual([box?.id, checksum([valuesOf(box!, '')[0]])]);
      expect(task?.isListed && task.values[0] === valuesOf(box!, '')[0]).toBe(false);
    }
  }

  /** Applies changes as the editor does. The text before the cursor in its line must stay. */
  #edit(before: string, out: readonly string[][]): void {
    const lines = before.split('\n');
    const offset = ({ line, ch }: { line: number; ch: number }) =>
      lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, ch);
    const editor = this.editor!;
    const [ahead, behind] = [this.#lineTo(editor), this.#lineFrom(editor)];
    const changes = lineChanges(lines, out)
      .map(({ from, to, text }) => ({ from: offset(from), to: offset(to), text }))
      .sort((a, b) => b.from - a.from);
    let { text, cursor } = editor;
    for (const change of changes) {
      text = text.slice(0, change.from) + change.text + text.slice(change.to);
      if (change.from < cursor)
        cursor = Math.max(change.from, cursor + change.text.length - (change.to - change.from));
    }
    this.editor = { text, cursor };
    expect([this.#lineTo(this.editor), this.#lineFrom(this.editor)]).toEqual([ahead, behind]);
  }

  #lineTo = ({ text, cursor }: { text: string; cursor: number }) =>
    text.slice(text.lastIndexOf('\n', cursor - 1) + 1, cursor);

  #lineFrom = ({ text, cursor }: { text: string; cursor: number }) =>
    text.slice(cursor).split('\n')[0];

  /** Waits as the app does, which looks once a second as long as something waits. */
  wait(seconds: number, step = 1): void {
    for (let second = 0; second < seconds; second += step) {
      this.now += step * 1000;
      this.merge();
    }
  }

  /** Saves what the editor has, as the app does 2 seconds after typing. */
  save(): void {
    this.file = this.text;
  }

  /** Takes the text that a sync service has written, also in the editor. */
  reload(text: string): void {
    this.file = text;
    if (this.editor) this.editor = { text, cursor: Math.min(this.editor.cursor, text.length) };
  }

  type(words: string): void {
    this.typed.push(words.match(/w\d+w/u)?.[0] ?? '');
    for (const letter of words) {
      const { text, cursor } = this.editor!;
      this.editor = {
        text: text.slice(0, cursor) + letter + text.slice(cursor),
        cursor: cursor + letter.length,
      };
      this.now += 50;
      this.session.see(this.view(), this.now);
    }
  }

  open(): void {
    this.isReading = false;
    this.editor ??= { text: this.file, cursor: 0 };
  }

  close(): void {
    this.file = this.text;
    this.editor = undefined;
    this.isReading = false;
  }

  read(): void {
    this.close();
    this.isReading = true;
  }

  /** Changes the lines as a person does with the keyboard, the cursor at the end of a line. */
  edit(change: (lines: string[]) => number | undefined): void {
    const lines = this.text.split('\n');
    const line = change(lines);
    const text = lines.join('\n');
    if (this.editor) {
      const at = line ?? 0;
      const cursor = lines.slice(0, at + 1).join('\n').length;
      this.editor = { text, cursor };
    } else this.file = text;
    if (this.editor) this.session.see(this.view(), this.now);
  }

  /** Ends the app after events were written, and before the note is. */
  kill(): void {
    const base = { ...this.session.base };
    this.close();
    const { changes } = this.session.look(this.view(), this.tasks(), this.now, this.newId);
    this.write(...taskDrafts(this.memory, 'ws', changes, BY));
    for (const { id } of changes) this.told.push({ at: this.now, id });
    this.now += 60_000;
    this.session = new TaskNoteSession(base);
  }

  /** Starts the app again, which takes a minute. Nothing but the base and the files is left. */
  restart(): void {
    this.close();
    this.now += 60_000;
    this.session = new TaskNoteSession({ ...this.session.base });
  }

  listed = () =>
    allRecords(this.memory, 'ws').filter(
      ({ isArchived, status }) => !isArchived && status !== 'dropped',
    );

  boxes = () => readBoxes(this.text.split('\n'));
}

export const boxLine = (lines: readonly string[], pick: number) => {
  const at = readBoxes(lines).map((box) => box.at);
  return at[pick % Math.max(at.length, 1)];
};

const endOfWords = (line: string) => line.replace(/(?: [📅✅] \S+)*(?: \^sp-\w+)?$/u, '').length;

export interface Step {
  readonly act: string;
  readonly pick: number;
  readonly to: number;
  readonly words: string;
}

const WORDS = [
  'Dig',
  'Sow beans',
  'Buy *bread*',
  'call [[Ann]]',
  'a_b \\ c',
  '2. plant #now',
  'é😀',
  '50 % & <b>',
];

export const step = fc.record({
  act: fc.constantFrom(
    'open',
    'read',
    'close',
    'new',
    'type',
    'type behind',
    'type inside',
    'delete inside',
    'click',
    'enter',
    'go',
    'tick',
    'move',
    'copy',
    'cut',
    'paste',
    'remove',
    'prose',
    'agent',
    'agent new',
    'agent done',
    'device',
    'wait',
    'long',
    'restart',
    'kill',
    'no id',
  ),
  pick: fc.nat(20),
  to: fc.nat(20),
  words: fc.constantFrom(...WORDS),
});

const tickedLine = (line: string) =>
  line.replace(/\[(.)\]/u, (_, mark) => (mark === ' ' ? '[x]' : '[ ]'));

/** Takes a step, and what the app does about it at once. */
export function take(
  desk: Desk,
  { act, pick, to, words }: Step,
  clip: { line: string | undefined },
): void {
  const tasks = [...desk.tasks().values()];
  const task = tasks[pick % Math.max(tasks.length, 1)];
  const set = (d: Draft['d']) => task && desk.write({ t: 'set', e: task.record.id, d });
  const inLine = (change: (lines: string[], at: number) => number) =>
    desk.edit((lines) => {
      const at = boxLine(lines, pick);
      return at === undefined ? undefined : change(lines, at);
    });
  const acts: Record<string, () => unknown> = {
    open: () => desk.open(),
    read: () => desk.read(),
    close: () => desk.close(),
    new() {
      if (!desk.editor) return desk.edit((lines) => void lines.push(`- [ ] ${words}`));
      inLine((lines, at) => lines.splice(at + 1, 0, '- [ ] ') && at + 1);
      if (desk.boxes().length > 0) desk.type(words);
    },
    type() {
      inLine((_, at) => at);
      if (!desk.editor) return;
      const { text, cursor } = desk.editor;
      const start = text.lastIndexOf('\n', cursor - 1) + 1;
      desk.editor.cursor = start + endOfWords(text.slice(start, cursor));
      desk.type(` ${words}`);
    },
    'type behind'() {
      inLine((_, at) => at);
      if (desk.editor) desk.type(to % 2 ? ` ${words}` : words);
    },
    'type inside'() {
      inLine((_, at) => at);
      if (!desk.editor) return;
      const { text } = desk.editor;
      const cursor = Math.max(desk.editor.cursor - (to % 9), 0);
      // an editor never puts the cursor into a surrogate pair
      desk.editor.cursor = /[\uDC00-\uDFFF]/.test(text.charAt(cursor)) ? cursor - 1 : cursor;
      desk.type(words);
    },
    'delete inside': () =>
      inLine((lines, at) => {
        const line = lines[at]!;
        const from = line.length - (to % 7) - 1;
        if (desk.editor && /\^sp-\w{8}$/u.test(line))
          lines[at] = line.slice(0, from) + line.slice(from + 1);
        return at;
      }),
    // live preview changes the document without moving the cursor
    click() {
      const { editor } = desk;
      if (!editor) return;
      desk.edit((lines) => {
        const at = boxLine(lines, pick);
        if (at !== undefined) lines[at] = tickedLine(lines[at]!);
        return at;
      });
      desk.editor!.cursor = Math.min(editor.cursor, desk.text.length);
    },
    // and it continues a list
    enter() {
      inLine((_, at) => at);
      if (!desk.editor) return;
      const { text, cursor } = desk.editor;
      const start = text.lastIndexOf('\n', cursor - 1) + 1;
      const at = start + endOfWords(text.slice(start, cursor));
      const inserted = '\n- [ ] ';
      desk.editor = {
        text: text.slice(0, at) + inserted + text.slice(at),
        cursor: at + inserted.length,
      };
      desk.session.see(desk.view(), desk.now);
      desk.type(words);
    },
    go: () => inLine((_, at) => at),
    tick: () =>
      inLine((lines, at) => {
        lines[at] = tickedLine(lines[at]!);
        return at;
      }),
    move: () =>
      inLine((lines, at) => {
        const [line = ''] = lines.splice(at, 1);
        const target = boxLine(lines, to) ?? lines.length - 1;
        lines.splice(target, 0, line);
        return target;
      }),
    copy: () =>
      inLine((lines, at) => {
        const target = boxLine(lines, to) ?? at;
        lines.splice(target + 1, 0, lines[at]!);
        return target + 1;
      }),
    cut: () =>
      clip.line ??
      inLine((lines, at) => {
        [clip.line] = lines.splice(at, 1);
        return at - 1;
      }),
    paste() {
      const { line } = clip;
      clip.line = undefined;
      if (line !== undefined)
        desk.edit((lines) => lines.splice(lines.length - 1, 0, line) && lines.length - 2);
    },
    remove: () =>
      inLine((lines, at) => {
        lines.splice(at, 1);
        return at - 1;
      }),
    prose: () => desk.edit((lines) => lines.push(words) - 1),
    agent: () => set({ '/remindAt': '2026-11-30T12:00:00.000Z' }),
    'agent new': () => desk.write(recordDraft(`${words} ${pick}`, desk.newId(), { ws: 'ws' })),
    'agent done': () => set({ '/status': to % 2 ? 'done' : 'open' }),
    device: () => set(to % 3 ? { '/title': `${words} there` } : { '/isArchived': true }),
    wait: () => desk.wait(3),
    long: () => desk.wait(75, 5),
    restart: () => desk.restart(),
    kill: () => desk.kill(),
    'no id': () =>
      inLine((lines, at) => {
        lines[at] = lines[at]!.replace(/ \^sp-\w+$/u, '');
        return at;
      }),
  };
  acts[act]?.();
  desk.merge();
}
