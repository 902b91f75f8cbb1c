import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../src/model/event.js';
import { allWorkspaces } from '../../src/model/lookup.js';
import { emptyMemory, type Memory } from '../../src/model/memory.js';
import { Refusal } from '../../src/model/refusal.js';
import { NOOP_SCHEDULER, type Scheduler } from '../../src/platform/scheduler.js';
import { LaneMemory } from '../../src/storage/lane-memory.js';
import type { LaneHooks, LaneOptions } from '../../src/storage/lane-options.js';
import { indexEvent, type WriterIndex } from '../../src/storage/read/writer-index.js';
import { createEagerScheduler } from '../fakes/eager-scheduler.js';
import { joinLines, linesOf, WRITER_A, WRITER_B, workspaceDraft } from '../fakes/events.js';
import { createVault, ROOT } from './helpers.js';

const FILE = `${ROOT}/core/2026-11/20261120-${WRITER_A}-0001.jsonl`;
const OTHER_FILE = `${ROOT}/core/2026-11/20261120-${WRITER_B}-0001.jsonl`;
const LINES = linesOf([workspaceDraft('One'), workspaceDraft('Two')]);
const COPIED = linesOf([workspaceDraft('Copied')], WRITER_B).map(({ event }) => event);

/** A lane with a file of two workspaces. */
function setUp(hooks: Partial<LaneHooks> = {}, scheduler: Scheduler = NOOP_SCHEDULER) {
  const { files, watched } = createVault();
  files.put(FILE, joinLines(LINES));
  const writers: WriterIndex = new Map();
  const options: Partial<LaneOptions> = {
    name: 'core',
    files: watched,
    root: ROOT,
    scheduler,
    writers,
    hooks: {
      openSegment: () => [],
      onEvent: () => undefined,
      onAbandoned: () => undefined,
      onMisplaced: () => undefined,
      ...hooks,
    },
  };
  return { files, watched, writers, memory: new LaneMemory(options as LaneOptions) };
}

const namesIn = (memory: Memory) =>
  allWorkspaces(memory)
    .map(({ displayName }) => displayName)
    .filter((name) => name !== 'Default');

const hasCopies = { copied: () => Promise.resolve(COPIED) };
const failAt = (failing: string) => (path: string) => {
  if (path === failing) throw new Refusal('It is not downloaded.');
};

describe('a lane that is folded again', () => {
  it('has what its files contain, without what is hidden', async () => {
    const { memory } = setUp({ isHidden: ({ e }) => e === 'ws-One' });
    expect(namesIn(await memory.refold())).toEqual(['Two']);
  });

  it('has what was received and is in none of its files', async () => {
    const { memory } = setUp();
    memory.receive(COPIED);
    expect(namesIn(await memory.refold())).toEqual(['Copied', 'One', 'Two']);
    expect(namesIn(await memory.refold())).toEqual(['Copied', 'One', 'Two']);
  });

  it('has copied lines of the writers that are known', async () => {
    const { memory, writers } = setUp(hasCopies);
    expect(namesIn(await memory.refold())).toEqual(['One', 'Two']);
    indexEvent(writers, 'core', COPIED[0]!);
    expect(namesIn(await memory.refold())).toEqual(['Copied', 'One', 'Two']);
  });

  it('has all copied lines while a file cannot be read', async () => {
    const { files, watched, memory } = setUp(hasCopies);
    files.put(OTHER_FILE, joinLines(linesOf([workspaceDraft('Unread')], WRITER_B)));
    watched.beforeRead = failAt(OTHER_FILE);
    expect(memory.isPartial).toBe(false);
    expect(namesIn(await memory.refold())).toEqual(['Copied', 'One', 'Two']);
    expect(memory.isPartial).toBe(true);
    watched.beforeRead = () => undefined;
    await memory.refold();
    expect(memory.isPartial).toBe(false);
  });

  it('has what can be read if there are no copies', async () => {
    const { watched, memory } = setUp();
    watched.beforeRead = failAt(FILE);
    expect(namesIn(await memory.refold())).toEqual([]);
    expect(memory.isPartial).toBe(true);
  });

  it('lets the host have its turn while its files are read', async () => {
    const { scheduler, turns } = createEagerScheduler();
    await setUp({}, scheduler).memory.refold();
    expect(turns()).toBeGreaterThan(0);
  });
});

describe('events that forget others', () => {
  const forgetting = (isMore: boolean) => {
    const asked: LogEvent[] = [];
    const onForget = (events: readonly LogEvent[]) => {
      asked.push(...events);
      return Promise.resolve(isMore);
    };
    return { ...setUp({ onForget, isHidden: ({ e }) => e === 'ws-One' && isMore }), asked };
  };
  const folded = (memory: LaneMemory) =>
    memory.fold(
      emptyMemory,
      LINES.map(({ event }) => event),
      {},
    );

  it('make the lane fold again if they hide more than before', async () => {
    const { memory, asked } = forgetting(true);
    const before = folded(setUp().memory);
    expect(namesIn(before)).toEqual(['One', 'Two']);
    expect(namesIn(await memory.withoutForgotten(before, COPIED))).toEqual(['Two']);
    expect(asked).toEqual(COPIED);
  });

  it('change nothing if they hide no more than before', async () => {
    const { memory, watched } = forgetting(false);
    const before = folded(memory);
    expect(await memory.withoutForgotten(before, COPIED)).toBe(before);
    expect(watched.reads).toEqual([]);
  });

  it('make nothing be read again before anything was folded', async () => {
    const { memory, watched } = forgetting(true);
    expect(await memory.withoutForgotten(emptyMemory, COPIED)).toBe(emptyMemory);
    expect(watched.reads).toEqual([]);
  });
});
