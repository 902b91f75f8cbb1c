import { describe, expect, it } from 'vitest';
import { NOOP_SCHEDULER, Scheduler } from '../../src/platform/scheduler.js';
import { LaneReader } from '../../src/storage/read/reader.js';
import { joinLines, linesOf, WRITER_A, workspaceDraft } from '../fakes/events.js';
import { createTestClock } from '../fakes/deterministic.js';
import { createMemoryFiles } from '../fakes/memory-files.js';
import { createVault, putWorkspace } from '../storage/helpers.js';

describe('Scheduler', () => {
  it('is never due without a host', async () => {
    expect(NOOP_SCHEDULER.isDue).toBe(false);
    await NOOP_SCHEDULER.yieldNow();
    const clock = createTestClock();
    const scheduler = new Scheduler(clock, undefined);
    clock.advance(60_000);
    expect(scheduler.isDue).toBe(false);
  });

  it('is due after 8 ms or if the clock was set back, until the next turn', async () => {
    const clock = createTestClock();
    const scheduler = new Scheduler(clock, () => Promise.resolve());
    clock.advance(8);
    expect(scheduler.isDue).toBe(false);
    for (const ms of [1, -60_000]) {
      clock.advance(ms);
      expect(scheduler.isDue).toBe(true);
      await scheduler.yieldIfDue();
      expect(scheduler.isDue).toBe(false);
    }
  });

  it('does not yield before a turn is due', async () => {
    const clock = createTestClock();
    let turns = 0;
    const scheduler = new Scheduler(clock, () => Promise.resolve(void turns++));
    await scheduler.yieldIfDue();
    expect(turns).toBe(0);
    await scheduler.yieldNow();
    expect(turns).toBe(1);
  });

  it('stays due until the turn of the host has ended', async () => {
    const clock = createTestClock();
    let endTurn: () => void = () => undefined;
    const scheduler = new Scheduler(clock, () => new Promise((resolve) => (endTurn = resolve)));
    const turn = scheduler.yieldNow();
    expect(scheduler.isDue).toBe(true);
    endTurn();
    await turn;
    expect(scheduler.isDue).toBe(false);
  });

  it.each(['directly', 'through a function'])(
    'resumes callers one by one if they wait %s',
    async (way) => {
      const clock = createTestClock();
      let turns = 0;
      const scheduler = new Scheduler(clock, () => Promise.resolve(void turns++));
      clock.advance(9);
      const wait = way === 'directly' ? () => scheduler.yieldIfDue() : waitTwice(scheduler);
      const done: number[] = [];
      const work = async (at: number) => {
        await wait();
        clock.advance(5);
        done.push(at);
      };
      await Promise.all([1, 2, 3, 4].map(work));
      expect({ done, turns }).toEqual({ done: [1, 2, 3, 4], turns: 2 });
    },
  );

  it('continues if the host fails to take its turn', async () => {
    const clock = createTestClock();
    const scheduler = new Scheduler(clock, () => Promise.reject(new Error('no page')));
    clock.advance(9);
    await scheduler.yieldIfDue();
    expect(scheduler.isDue).toBe(false);
  });
});

/** Returns a wait function with an additional await. */
function waitTwice(scheduler: Scheduler): () => Promise<void> {
  return async () => {
    await scheduler.yieldIfDue();
  };
}

describe('reading with a scheduler', () => {
  it('never parses two segments in one slice', async () => {
    const files = createMemoryFiles();
    for (let at = 0; at < 40; at++) {
      const drafts = [workspaceDraft(`W${at}`), { t: 'log.seal', e: '', d: {} }];
      files.put(`S/core/${at}.jsonl`, joinLines(linesOf(drafts, WRITER_A, 2 * at + 1)));
    }
    const clock = createTestClock();
    let turns = 0;
    const scheduler = new Scheduler(clock, () => Promise.resolve(void turns++));
    const placed = () => clock.advance(9); // makes a turn due after each segment
    expect(
      await new LaneReader(files, 'S', 'core', new Map(), { scheduler, onLines: placed }).scan(),
    ).toHaveLength(80);
    expect(turns).toBe(39);
  });

  it('reads the same memory as without a host', async () => {
    const { clock, open } = createVault();
    const writer = open();
    for (let at = 0; at < 700; at++) await putWorkspace(writer, `Plan ${at}`);
    let turns = 0;
    const yieldToHost = () => Promise.resolve(void turns++);
    let ticks = 0;
    const log = open({ yieldToHost, clock: { ...clock, now: () => clock.now() + (ticks += 5) } });
    expect((await log.memory()).entities).toEqual((await open().memory()).entities);
    expect(turns).toBeGreaterThan(0);
  });
});
