import { describe, expect, it } from 'vitest';
import {
  clientName,
  deedText,
  paramsIn,
  shownParams,
} from '../../../../src/obsidian/clients/approvals/approval-texts.js';

describe('a question in words', () => {
  it('names the client as it calls itself, in a line', () => {
    expect(clientName(' Claude ')).toBe('Claude');
    expect(clientName('')).toBe('Unnamed app');
    expect(Array.from(clientName('🌱'.repeat(200)))).toHaveLength(61);
  });

  it('says what is done, and with what', () => {
    expect(deedText('Save state', { name: 'Plan' })).toBe('Save state: Plan');
    expect(deedText('Save state', { name: 7 })).toBe('Save state');
  });

  it('shows each parameter by a name in words, lists line by line', () => {
    expect(
      shownParams({
        activeTask: 'T',
        nextSteps: ['a', 'b'],
        tags: [],
        preferences: { tone: 'dry' },
        isArchived: false,
      }),
    ).toEqual([
      { label: 'Active task', value: 'T' },
      { label: 'Next steps', value: 'a\nb' },
      { label: 'Tags', value: 'nothing' },
      { label: 'Preferences', value: '{\n  "tone": "dry"\n}' },
      { label: 'Is archived', value: 'false' },
    ]);
  });

  it('finds the name in a trace that was cut off, and none where it cannot be told', () => {
    const whole = JSON.stringify({
      activeTask: 'x',
      name: 'A "b"',
      conversationContext: 'y'.repeat(2000),
    });
    expect(paramsIn(whole)).toMatchObject({ name: 'A "b"' });
    expect(paramsIn(`${whole.slice(0, 1000)}…`)).toEqual({ name: 'A "b"' });
    for (const odd of ['', '[]', 'null', '{"name":"half', '{"nextSteps":["x"],"name":"later"…'])
      expect(paramsIn(odd)).toEqual({});
  });
});
