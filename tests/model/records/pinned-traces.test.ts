import { describe, expect, it } from 'vitest';
import { emptyMemory, fold } from '../../../src/model/memory.js';
import { pinnedTraces } from '../../../src/model/records/pinned-traces.js';
import { traceData } from '../../../src/model/trace.js';
import { clockText, eventOf } from '../../fakes/events.js';

const trace = {
  workspaceId: 'w1',
  sessionId: 's',
  toolset: 'traceManager',
  tool: 'logTrace',
  kind: 'error_pattern' as const,
  outcome: '',
  isSuccess: true,
};

describe('pinned traces', () => {
  it('are listed by workspace, newest first, unless archived', () => {
    const pins = ['One', 'Two', 'Three'].map((input, at) =>
      eventOf({ t: 'pin.new', e: input, h: clockText(at), d: traceData({ ...trace, input }) }),
    );
    const archived = eventOf({
      t: 'set',
      e: 'Two',
      n: 9,
      h: clockText(9),
      d: { '/isArchived': true },
    });
    const memory = fold(emptyMemory, [...pins, archived]);
    expect(pinnedTraces(memory, 'w1').map(({ input }) => input)).toEqual(['Three', 'One']);
    expect(pinnedTraces(memory, 'w2')).toEqual([]);
  });

  it('have no effect without a tool', () => {
    const memory = fold(emptyMemory, [eventOf({ t: 'pin.new', e: 'x', d: { ws: 'w1' } })]);
    expect(pinnedTraces(memory, 'w1')).toEqual([]);
  });
});
