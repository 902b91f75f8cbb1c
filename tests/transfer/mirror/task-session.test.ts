import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Draft } from '../../../src/model/event.js';
import { apply, emptyMemory, type Memory } from '../../../src/model/memory.js';
import { allRecords } from '../../../src/model/records/lookup-record.js';
import { readBoxes, valuesOf } from '../../../src/transfer/mirror/task-line.js';
import { taskDrafts, workspaceTasks } from '../../../src/transfer/mirror/task-list.js';
import {
  checksum,
  isAsWritten,
  lineChanges,
  newTasksNote,
} from '../../../src/transfer/mirror/task-note.js';
import { TaskNoteSession } from '../../../src/transfer/mirror/task-session.js';
import { clockText, eventOf, recordDraft, workspaceDraft } from '../../fakes/events.js';
import { perTier, SEED } from '../../tier.js';

const BY = { client: 'Test', session: 's', device: 'Laptop' };

/** A log, the note, an editor that may have text that is not saved, and the time. */
class Desk {
  memory: Memory;
  file: string;
  /** Text and cursor of the open editor; undefined while the note is closed or only read. */
  editor: { text: string; cursor: number } | undefined;
  isReading = false;
  now = 1_000_000;
  session: TaskNoteSession;
  /** Time and id of each event that a line of the note has caused. */
  readonly told: { readonly at: number; readonly id: string }[] = [];
  #events = 0;
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
      const n = ++this.#events;
      this.memory = apply(this.memory, eventOf({ ...draft, n, h: clockText(n) }));
    }
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
    for (const [at, line] of lines.entries()) {
      const [kept = ''] = out[at]!;
      const box = boxes.get(at);
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

  type(words: string): void {
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
    this.session.see(this.view(), this.now);
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

const boxLine = (lines: readonly string[], pick: number) => {
  const at = readBoxes(lines).map((box) => box.at);
  return at[pick % Math.max(at.length, 1)];
};

const endOfWords = (line: string) => line.replace(/(?: [📅✅] \S+)*(?: \^sp-\w+)?$/u, '').length;

describe('a note of tasks', () => {
  const opened = (...titles: string[]) => {
    const desk = new Desk(titles);
    desk.open();
    return desk;
  };
  const titles = (desk: Desk) =>
    desk
      .listed()
      .map(({ title }) => title)
      .sort();

  test('makes a task of a line that the cursor has left, and gives it an id', () => {
    const desk = opened('Dig');
    desk.edit((lines) => lines.splice(boxLine(lines, 0)! + 1, 0, '- [ ] ') && boxLine(lines, 1)!);
    desk.type('Sow');
    desk.merge();
    expect(titles(desk)).toEqual(['Dig']);
    desk.editor!.cursor = 0;
    desk.merge();
    expect(titles(desk)).toEqual(['Dig', 'Sow']);
    expect(desk.text).toMatch(/\n- \[ \] Dig \^sp-t0000000\n- \[ \] Sow \^sp-\w+\n$/u);
  });

  test('makes a task of a line after 10 seconds, and follows its words afterwards', () => {
    const desk = opened('Dig');
    desk.edit((lines) => lines.splice(boxLine(lines, 0)! + 1, 0, '- [ ] ') && boxLine(lines, 1)!);
    desk.type('Sow');
    desk.wait(9);
    expect(titles(desk)).toEqual(['Dig']);
    desk.wait(1);
    expect(titles(desk)).toEqual(['Dig', 'Sow']);
    expect(desk.text).toMatch(/- \[ \] Sow\n/u);
    desk.type(' beans');
    desk.editor!.cursor = 0;
    desk.merge();
    expect(desk.text).toMatch(/- \[ \] Sow beans \^sp-\w+\n/u);
    expect(titles(desk)).toEqual(['Dig', 'Sow']); // at most one event per minute
    desk.wait(60);
    expect(titles(desk)).toEqual(['Dig', 'Sow beans']);
  });

  test('edits the task whose words change, and keeps what an agent did to it', () => {
    const desk = opened('Dig');
    desk.edit((lines) => {
      const at = boxLine(lines, 0)!;
      lines[at] = lines[at]!.replace('Dig', 'Dig deep');
      return 0;
    });
    desk.write({ t: 'set', e: 't0000000', d: { '/status': 'done' } });
    desk.merge();
    expect(desk.listed()).toMatchObject([{ title: 'Dig deep', status: 'done' }]);
    expect(desk.text).toMatch(/- \[x\] Dig deep ✅ \S+ \^sp-t0000000/u);
  });

  test('keeps both titles if two devices change one line', () => {
    const desk = opened('Dig');
    desk.edit((lines) => {
      const at = boxLine(lines, 0)!;
      lines[at] = lines[at]!.replace('Dig', 'Dig deep');
      return 0;
    });
    desk.write({ t: 'set', e: 't0000000', d: { '/title': 'Dig wide' } });
    desk.merge();
    expect(titles(desk)).toEqual(['Dig deep', 'Dig wide (edited)']);
    desk.wait(130);
    expect(titles(desk)).toEqual(['Dig deep', 'Dig wide (edited)']);
    expect(desk.text).toMatch(/\n- \[ \] Dig wide \(edited\) \^sp-\w+\n/u);
  });

  test('makes one task of two lines that were joined', () => {
    const desk = opened('Dig', 'Sow');
    desk.edit((lines) => {
      const at = boxLine(lines, 0)!;
      lines.splice(at, 2, `${lines[at]!}${lines[at + 1]!}`);
      return 0;
    });
    desk.wait(70);
    expect(titles(desk)).toEqual(['Dig - [ ] Sow']);
    expect(desk.text).toMatch(/\n- \[ \] Dig - \[ \] Sow \^sp-t0000000\n/u);
  });

  test.each([1, 2, 8])('keeps the task of a line that lost the last %i characters', (count) => {
    const desk = opened('Dig', 'Sow');
    desk.edit((lines) => {
      const at = boxLine(lines, 0)!;
      lines[at] = `${lines[at]!.slice(0, -count)} deep`;
      return 0;
    });
    desk.wait(70);
    desk.close();
    desk.wait(70);
    expect(titles(desk)).toEqual(['Dig deep', 'Sow']);
    expect(desk.text).toMatch(/\n- \[ \] Dig deep \^sp-t0000000\n/u);
  });

  test('changes nothing but lines of tasks while the note is open, so that Undo reaches them', () => {
    const desk = opened('Dig');
    const [head] = desk.text.split('- [ ]', 1);
    desk.write({ t: 'set', e: 't0000000', d: { '/title': 'Dig wide' } });
    desk.merge();
    expect(desk.text).toContain('- [ ] Dig wide ^sp-t0000000');
    expect(desk.text.split('- [ ]', 1)).toEqual([head]);
    desk.close();
    desk.wait(20);
    expect(isAsWritten(desk.file)).toBe(true);
    expect(desk.file.split('- [ ]', 1)).not.toEqual([head]);
  });

  test('keeps a moved line its task, and makes a new one of a copy', () => {
    const desk = opened('Dig', 'Sow');
    desk.edit((lines) => {
      const [line = ''] = lines.splice(boxLine(lines, 0)!, 1);
      lines.splice(boxLine(lines, 0)! + 1, 0, line, line);
      return 0;
    });
    desk.wait(70);
    expect(titles(desk)).toEqual(['Dig', 'Dig', 'Sow']);
    expect(desk.boxes().map(({ text, id }) => [text, id])).toEqual([
      ['Sow', 'sp-t0000001'],
      ['Dig', 'sp-t0000000'],
      ['Dig', expect.stringMatching(/^sp-t\d+$/u)],
    ]);
  });

  test('archives a task whose line was removed, after a minute or once it is closed', () => {
    for (const isClosed of [false, true]) {
      const desk = opened('Dig', 'Sow');
      desk.edit((lines) => {
        lines.splice(boxLine(lines, 0)!, 1);
        return 0;
      });
      desk.wait(59);
      expect(titles(desk)).toEqual(['Dig', 'Sow']);
      if (isClosed) desk.close();
      desk.wait(isClosed ? 1 : 3);
      expect(titles(desk)).toEqual(['Sow']);
    }
  });

  test('does not take cutting and pasting for a removal', () => {
    const desk = opened('Dig', 'Sow');
    let cut = '';
    desk.edit((lines) => {
      [cut = ''] = lines.splice(boxLine(lines, 0)!, 1);
      return 0;
    });
    desk.wait(50);
    desk.edit((lines) => {
      lines.push(cut);
      return 0;
    });
    desk.wait(120);
    expect(titles(desk)).toEqual(['Dig', 'Sow']);
    expect(desk.told).toEqual([]);
  });

  test('keeps what cannot be a task, and what is no task at all', () => {
    const desk = opened('Dig');
    desk.edit((lines) => {
      lines.push(
        'My thoughts',
        '- [ ] ',
        `- [ ] ${'x'.repeat(2001)}`,
        '- a list',
        '- [ ] Far ^sp-far',
      );
      return 0;
    });
    const before = desk.text;
    desk.wait(70);
    expect(desk.text).toBe(before);
    expect(titles(desk)).toEqual(['Dig']);
  });

  test('takes what is typed behind the id for words, and puts the id to the end', () => {
    const desk = opened('Dig', 'Sow');
    for (const [line, words] of [' deep', 'beans'].entries()) {
      desk.edit((lines) => boxLine(lines, line));
      desk.type(words);
    }
    desk.editor!.cursor = 0;
    desk.merge();
    expect(titles(desk)).toEqual(['Dig deep', 'Sow beans']);
    expect(desk.text).toMatch(
      /- \[ \] Dig deep \^sp-t0000000\n- \[ \] Sow beans \^sp-t0000001\n$/u,
    );
  });

  test('keeps one task if the app ends before its id is written, or if the id is removed', () => {
    const desk = new Desk(['Dig']);
    desk.edit((lines) => void lines.push('- [ ] Sow'));
    desk.wait(9);
    desk.now += 1000;
    desk.kill();
    desk.wait(90);
    expect(titles(desk)).toEqual(['Dig', 'Sow']);
    desk.edit((lines) => void lines.push(lines.pop()!.replace(/ \^\S+$/u, '')));
    desk.wait(90);
    expect(titles(desk)).toEqual(['Dig', 'Sow']);
    expect(desk.boxes().map(({ id }) => id)).toEqual([...desk.tasks().keys()]);
  });

  test('follows the memory if it is as another device wrote it', () => {
    const desk = new Desk(['Dig', 'Sow']);
    desk.write({ t: 'set', e: 't0000000', d: { '/title': 'Dig deep' } });
    desk.write({ t: 'set', e: 't0000001', d: { '/status': 'done' } });
    desk.session = new TaskNoteSession();
    desk.merge();
    expect(desk.told).toEqual([]);
    expect(desk.text).toMatch(
      /- \[ \] Dig deep \^sp-t0000000\n- \[x\] Sow ✅ \S+ \^sp-t0000001\n$/u,
    );
  });
});

interface Step {
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

const step = fc.record({
  act: fc.constantFrom(
    'open',
    'read',
    'close',
    'new',
    'type',
    'type behind',
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

/** Takes a step, and what the app does about it at once. */
function take(
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
    go: () => inLine((_, at) => at),
    tick: () =>
      inLine((lines, at) => {
        lines[at] = lines[at]!.replace(/\[(.)\]/u, (_, mark) => (mark === ' ' ? '[x]' : '[ ]'));
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

test('no sequence of changes loses a word, doubles a task or tells too often', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const desk = new Desk(['Dig', 'Sow']);
      const clip: { line: string | undefined } = { line: undefined };
      let hasTwo = false;
      for (const each of steps) {
        if (each.act === 'device') hasTwo = true;
        take(desk, each, clip);
      }
      take(desk, { act: 'paste', pick: 0, to: 0, words: '' }, clip);
      desk.close();
      desk.wait(200, 20);
      const boxes = desk.boxes();
      const titles = boxes
        .map((box) => valuesOf(box, ''))
        .map(([title, status]) => `${status} ${title}`);
      const tasks = desk.listed().map(({ title, status }) => `${status} ${title}`);
      expect(titles.sort()).toEqual(tasks.sort());
      expect(new Set(boxes.map(({ id }) => id)).size).toBe(boxes.length);
      if (!hasTwo) expect(desk.text).not.toContain('(edited)');
      const last = new Map<string, number>();
      for (const { at, id } of desk.told) {
        expect(at - (last.get(id) ?? -Infinity)).toBeGreaterThanOrEqual(60_000);
        last.set(id, at);
      }
    }),
    { numRuns: perTier(50, 700, 20_000), seed: SEED },
  );
});
