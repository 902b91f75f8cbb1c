import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { perTier, SEED } from '../../tier.js';
import { boxLine, Desk, step, take } from './task-desk.js';

/** Two devices that both write one note, with a service that moves the log and the note. */
class Pair {
  readonly desks: readonly [Desk, Desk];
  /** Versions of the note that the service has put next to it. */
  readonly copies: string[] = [];
  readonly #keepsCopies: boolean;
  #synced: string;
  #lastChanged = 0;

  constructor(keepsCopies: boolean) {
    const first = new Desk(['Dig', 'Sow']);
    this.desks = [first, first.second()];
    this.#keepsCopies = keepsCopies;
    this.#synced = first.file;
  }

  /** Lets a device act, and both clocks run. */
  act(index: number, action: (desk: Desk) => void): void {
    const [desk, other] = index === 0 ? this.desks : ([this.desks[1], this.desks[0]] as const);
    const before = desk.text;
    action(desk);
    if (desk.text !== before) this.#lastChanged = index;
    const passed = (desk.now - other.now) / 1000;
    if (passed > 0) other.wait(passed, Math.max(passed / 10, 1));
    desk.now = other.now = Math.max(desk.now, other.now);
  }

  carryLog(): void {
    const [a, b] = this.desks;
    a.receive(b.log);
    b.receive(a.log);
    for (const desk of this.desks) desk.merge();
  }

  /** Of two changed versions of the note, the last one counts. */
  carryNote(): void {
    for (const desk of this.desks) desk.save();
    const changed = this.desks.filter(({ file }) => file !== this.#synced);
    const last = this.desks[this.#lastChanged]!;
    const [only] = changed;
    if (!only) return;
    const winner = changed.length > 1 ? last : only;
    const loser = winner === this.desks[0] ? this.desks[1] : this.desks[0];
    if (changed.length > 1 && this.#keepsCopies) this.copies.push(loser.file);
    loser.reload((this.#synced = winner.file));
    for (const desk of this.desks) desk.merge();
  }

  /** Carries everything until both devices agree. */
  settle(): void {
    for (const desk of this.desks) desk.close();
    for (let round = 0; round < 6; round++) {
      this.act(0, (desk) => desk.wait(70, 5));
      this.carryLog();
      this.carryNote();
    }
  }
}

const titles = (desk: Desk) =>
  desk
    .listed()
    .map(({ title }) => title)
    .sort();

const typeInLine = (line: number, words: string) => (desk: Desk) => {
  desk.open();
  desk.edit((lines) => boxLine(lines, line));
  desk.type(words);
};

describe('two devices that write one note', () => {
  test('keep both titles of a task that each of them has told', () => {
    const pair = new Pair(false);
    pair.act(0, typeInLine(0, ' deep'));
    pair.act(1, typeInLine(0, ' wide'));
    pair.settle();
    for (const desk of pair.desks)
      expect(titles(desk)).toEqual(['Dig deep (edited)', 'Dig wide', 'Sow']);
  });

  test('keep a task whose line the note of the other one never had', () => {
    const pair = new Pair(false);
    const add = typeInLine(0, '');
    pair.act(0, (desk) => {
      add(desk);
      desk.edit((lines) => lines.splice(boxLine(lines, 0)! + 1, 0, '- [ ] ') && boxLine(lines, 1)!);
      desk.type('Weed');
      desk.wait(20);
    });
    pair.act(1, typeInLine(0, ' deep'));
    pair.carryNote();
    pair.settle();
    for (const desk of pair.desks) expect(titles(desk)).toEqual(['Dig deep', 'Sow', 'Weed']);
  });

  test('keep words that the service replaced before they were told', () => {
    const pair = new Pair(false);
    pair.act(0, typeInLine(0, ' deep'));
    pair.act(1, typeInLine(1, ' beans'));
    pair.carryNote();
    pair.settle();
    for (const desk of pair.desks)
      expect(titles(desk)).toEqual(['Dig', 'Dig deep (edited)', 'Sow beans']);
  });

  test('keep a title whose note never reached the other one, and then one that did', () => {
    const pair = new Pair(false);
    pair.act(1, typeInLine(0, ' deep'));
    pair.act(1, (desk) => {
      desk.close();
      desk.wait(20);
    });
    pair.act(0, (desk) => {
      desk.file = desk.file.replace('[ ] Sow', '[x] Sow');
    });
    pair.carryNote();
    pair.settle();
    for (const desk of pair.desks) expect(titles(desk)).toEqual(['Dig deep', 'Sow']);

    const [reader, writer] = pair.desks;
    writer.reload(writer.file.replace('Dig deep', 'Dig'));
    writer.wait(20);
    expect(titles(writer)).toEqual(['Dig', 'Sow']);
    expect(titles(reader)).toEqual(['Dig deep', 'Sow']);
  });

  test('keep words added to a task that the other one knows from the note alone', () => {
    const pair = new Pair(false);
    const act = (name: string, pick: number, words: string) =>
      pair.act(1, (desk) => take(desk, { act: name, pick, to: 0, words }, { line: undefined }));
    act('open', 0, '');
    act('new', 0, 'Weed');
    act('new', 1, 'Rake');
    pair.carryNote();
    act('type', 1, 'all');
    pair.settle();
    for (const desk of pair.desks) expect(titles(desk).join()).toContain('Weed all');
  });

  test('make no copy of words that only one of them changed', () => {
    const pair = new Pair(false);
    for (const device of [0, 1, 0]) {
      pair.act(device, typeInLine(0, ' more'));
      pair.act(device, (desk) => {
        desk.wait(70, 5);
        desk.close();
      });
      pair.settle();
    }
    for (const desk of pair.desks) expect(titles(desk)).toEqual(['Dig more more more', 'Sow']);
  });
});

const TYPING = ['open', 'read', 'close', 'new', 'type', 'go', 'tick', 'wait', 'long', 'restart'];

const typing = fc.record({
  device: fc.constantFrom(0, 1),
  carry: fc.constantFrom('', '', '', 'log', 'note', 'both'),
  act: fc.constantFrom(...TYPING),
  step,
});

test('no word is lost if two devices write one note', () => {
  fc.assert(
    fc.property(fc.array(typing, { maxLength: 20 }), fc.boolean(), (steps, keepsCopies) => {
      const pair = new Pair(keepsCopies);
      const clip = { line: undefined };
      for (const [at, { device, carry, act, step: each }] of steps.entries()) {
        const words = `${each.words} w${at}w`;
        pair.act(device, (desk) => take(desk, { ...each, act, words }, clip));
        if (carry === 'log' || carry === 'both') pair.carryLog();
        if (carry === 'note' || carry === 'both') pair.carryNote();
      }
      pair.settle();
      const [a, b] = pair.desks;
      const shown = [...titles(a), ...pair.copies].join('\n');
      const typed = pair.desks.flatMap((desk) => desk.typed);
      expect(typed.filter((words) => !shown.includes(words))).toEqual([]);
      const listed = [...a.tasks()].flatMap(([id, { isListed }]) => (isListed ? [id] : []));
      for (const desk of [a, b])
        expect(
          desk
            .boxes()
            .map(({ id }) => id)
            .sort(),
        ).toEqual(listed.sort());
    }),
    { numRuns: perTier(50, 400, 5000), seed: SEED },
  );
}, 1_800_000);
