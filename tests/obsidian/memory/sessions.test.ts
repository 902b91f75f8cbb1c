import { describe, expect, it } from 'vitest';
import { failedAmong, groupSessions, purposeOf } from '../../../src/obsidian/memory/sessions.js';
import { traceOf } from './memories.js';

const NO_NAMES = new Map<string, string>();

describe('sessions', () => {
  it('group the calls of each conversation in order', () => {
    const [a, b, c] = [
      traceOf({ tool: 'x' }),
      traceOf({ sessionId: 's2' }),
      traceOf({ tool: 'y' }),
    ];
    expect(groupSessions([a, b, c])).toEqual([
      { id: 's1', calls: [a, c] },
      { id: 's2', calls: [b] },
    ]);
  });

  it('accept "__proto__" as a conversation id', () => {
    expect(groupSessions([traceOf({ sessionId: '__proto__' })]).map(({ id }) => id)).toEqual([
      '__proto__',
    ]);
  });

  it('count failed calls', () => {
    expect(
      failedAmong([traceOf(), traceOf({ isSuccess: false }), traceOf({ isSuccess: false })]),
    ).toBe(2);
  });

  it('are described by their latest goal, or else by what they did', () => {
    expect(
      purposeOf([traceOf(), traceOf({ goal: 'Plant' }), traceOf({ goal: 'Draw' })], NO_NAMES),
    ).toBe('Plant');
    expect(
      purposeOf([traceOf(), traceOf({ tool: 'loadState', goal: '' }), traceOf()], NO_NAMES),
    ).toBe('Listed the states ×2 · Loaded state');
  });
  it('are named as their conversation, if it has a name', () => {
    const names = new Map([['s2', 'Beds']]);
    const own = traceOf({ sessionId: 's2', goal: 'Draw' });
    expect(purposeOf([own, traceOf({ goal: 'Plant' })], names)).toBe('Beds');
    expect(purposeOf([traceOf({ goal: 'Plant' }), own], names)).toBe('Plant');
  });
});
