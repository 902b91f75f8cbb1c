import { describe, expect, it } from 'vitest';
import { failedAmong, groupSessions, purposeOf } from '../../../src/obsidian/memory/sessions.js';
import { traceOf } from './memories.js';

describe('sessions', () => {
  it('gather the calls of each conversation in their order', () => {
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

  it('keep a conversation called __proto__ apart like any other', () => {
    expect(groupSessions([traceOf({ sessionId: '__proto__' })]).map(({ id }) => id)).toEqual([
      '__proto__',
    ]);
  });

  it('count what failed', () => {
    expect(
      failedAmong([traceOf(), traceOf({ isSuccess: false }), traceOf({ isSuccess: false })]),
    ).toBe(2);
  });

  it('are told by the goal that was named last, else by their tools', () => {
    expect(purposeOf([traceOf(), traceOf({ goal: 'Plant' }), traceOf({ goal: 'Draw' })])).toBe(
      'Plant',
    );
    expect(purposeOf([traceOf(), traceOf({ tool: 'loadState', goal: '' }), traceOf()])).toBe(
      'listStates ×2, loadState',
    );
  });
});
