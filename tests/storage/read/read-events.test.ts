import { describe, expect, it } from 'vitest';
import { readEventsAt } from '../../../src/storage/read/read-events.js';
import { LaneReader } from '../../../src/storage/read/reader.js';
import { createEagerScheduler } from '../../fakes/eager-scheduler.js';
import { joinLines, linesOf, workspaceDraft } from '../../fakes/events.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';

const LINES = linesOf(['One', 'Two', 'Three'].map((name) => workspaceDraft(name)));
const EVENTS = LINES.map(({ event }) => event);
const PATH = 'S/core/2026-11/a.jsonl';

function setUp(bytes: Uint8Array) {
  const files = createMemoryFiles();
  files.put(PATH, bytes);
  return { files, reader: new LaneReader(files, 'S', 'core', new Map()) };
}

describe('readEventsAt', () => {
  it('reads a line that ends where the file ends', async () => {
    const { files, reader } = setUp(LINES[0]!.bytes.slice(0, -1));
    expect(await readEventsAt(files, await reader.scan())).toEqual([EVENTS[0]]);
  });

  it('returns undefined for an event that no longer exists', async () => {
    const { files, reader } = setUp(joinLines(LINES.slice(0, 2)));
    const locations = await reader.scan();
    files.put(PATH, LINES[0]!.bytes);
    expect(await readEventsAt(files, locations)).toEqual([EVENTS[0], undefined]);
    await files.remove(PATH);
    expect(await readEventsAt(files, locations)).toEqual([undefined, undefined]);
  });

  it('yields to the host between events', async () => {
    const { files, reader } = setUp(joinLines(LINES));
    const { scheduler, turns } = createEagerScheduler();
    expect(await readEventsAt(files, await reader.scan(), scheduler)).toEqual(EVENTS);
    expect(turns()).toBe(2); // not 3, since the fake is not due right after a turn
  });
});
