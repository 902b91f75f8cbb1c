import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { valuesOf } from '../../../src/transfer/mirror/task-line.js';
import { isAsWritten } from '../../../src/transfer/mirror/task-note.js';
import { TaskNoteSession } from '../../../src/transfer/mirror/task-session.js';
import { perTier, SEED } from '../../tier.js';
import { boxLine, Desk, step, take } from './task-desk.js';

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
      lines.push('My thoughts', '- [ ] ', `- [ ] ${'x'.repeat(2001)}`, '- a list');
      return 0;
    });
    desk.reload(`${desk.text}\n- [ ] Far ^sp-far`);
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

  test.each([
    ['t00Ann00000', 'Dig Ann'],
    ['t00 call Ann 00000', 'Dig call Ann'],
    ['t0000', 'Dig'],
    ['t0Ann', 'Dig Ann'],
  ])('keeps the task of a line whose id became ^sp-%s', (id, title) => {
    const desk = opened('Dig', 'Sow');
    desk.edit((lines) => {
      const at = boxLine(lines, 0)!;
      lines[at] = lines[at]!.replace('t0000000', id);
      return 0;
    });
    desk.wait(130);
    expect(titles(desk)).toEqual([title, 'Sow']);
    expect(desk.text).toContain(`\n- [ ] ${title} ^sp-t0000000\n`);
  });

  test('makes a new task of a line whose id is of no task here', () => {
    const desk = opened('Dig');
    desk.edit((lines) => lines.push('- [ ] Weed ^sp-elsewher', '') && 0);
    desk.wait(11);
    expect(titles(desk)).toEqual(['Dig', 'Weed']);
    expect(desk.text).toMatch(/\n- \[ \] Weed \^sp-t0\w+\n/u);
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

  test('makes a task of a line that lost a character of its id, and was pasted after a minute', () => {
    const desk = opened('Dig', 'Sow');
    let cut = '';
    desk.edit((lines) => {
      [cut = ''] = lines.splice(boxLine(lines, 0)!, 1);
      return 0;
    });
    desk.wait(70);
    expect(titles(desk)).toEqual(['Sow']);
    desk.edit((lines) => lines.push(cut.slice(0, -1)) && 0);
    desk.wait(70);
    expect(titles(desk)).toEqual(['Dig', 'Sow']);
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
