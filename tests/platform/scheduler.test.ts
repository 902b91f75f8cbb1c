import { describe, expect, it } from 'vitest';
import { createPause } from '../../src/platform/scheduler.js';
import { createReader } from '../../src/storage/read/reader.js';
import { joinLines, linesOf, WRITER_A, workspaceDraft } from '../fakes/events.js';
import { createTestClock } from '../fakes/deterministic.js';
import { createMemoryFiles } from '../fakes/memory-files.js';
import { createVault, putWorkspace } from '../storage/helpers.js';

describe('a pause', () => {
  it('is nothing where there is nobody to let breathe', () => {
    expect(createPause(createTestClock(), undefined)).toBeUndefined();
  });

  it('is due once more than 8 ms have gone, or the clock was set back, and not again right after', async () => {
    const clock = createTestClock();
    const pause = createPause(clock, () => Promise.resolve())!;
    clock.advance(8);
    expect(pause.isDue()).toBe(false);
    for (const ms of [1, -60_000]) {
      clock.advance(ms);
      expect(pause.isDue()).toBe(true);
      await pause.take();
      expect(pause.isDue()).toBe(false);
    }
  });

  it('is one for all who wait, and is due for each of them again once one has worked too long', async () => {
    const clock = createTestClock();
    let breaths = 0;
    const pause = createPause(clock, () => Promise.resolve(void breaths++))!;
    clock.advance(9);
    const done: number[] = [];
    const work = async (at: number) => {
      while (pause.isDue()) await pause.take();
      clock.advance(5);
      done.push(at);
    };
    await Promise.all([1, 2, 3, 4].map(work));
    expect({ done, breaths }).toEqual({ done: [1, 2, 3, 4], breaths: 2 });
  });

  it('is over where the host cannot pause', async () => {
    const clock = createTestClock();
    const pause = createPause(clock, () => Promise.reject(new Error('no page')))!;
    clock.advance(9);
    await pause.take();
    expect(pause.isDue()).toBe(false);
  });
});

describe('reading with pauses', () => {
  it('never reads two segments without asking in between', async () => {
    const files = createMemoryFiles();
    for (let at = 0; at < 40; at++) {
      const drafts = [workspaceDraft(`W${at}`), { t: 'log.seal', e: '', d: {} }];
      files.put(`S/core/${at}.jsonl`, joinLines(linesOf(drafts, WRITER_A, 2 * at + 1)));
    }
    const clock = createTestClock();
    let breaths = 0;
    const pause = createPause(clock, () => Promise.resolve(void breaths++))!;
    const placed = () => clock.advance(9); // as long as reading one takes
    expect(
      await createReader(files, 'S', 'core', new Map(), { pause, placed }).scan(),
    ).toHaveLength(80);
    expect(breaths).toBe(39);
  });

  it('comes to the same memory, and changes it once', async () => {
    const { clock, open } = createVault();
    const writer = open();
    for (let at = 0; at < 700; at++) await putWorkspace(writer, `Plan ${at}`);
    let breaths = 0;
    const breathe = () => Promise.resolve(void breaths++);
    let ticks = 0;
    const log = open({ breathe, clock: { ...clock, now: () => clock.now() + (ticks += 5) } });
    expect((await log.memory()).entities).toEqual((await open().memory()).entities);
    expect(breaths).toBeGreaterThan(0);
  });
});
