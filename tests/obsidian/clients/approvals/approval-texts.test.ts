import { describe, expect, it } from 'vitest';
import {
  clientName,
  deedText,
  paramsIn,
  shownParams,
} from '../../../../src/obsidian/clients/approvals/approval-texts.js';

describe('the texts of an approval', () => {
  it('trim and shorten the name of the client', () => {
    expect(clientName(' Claude ')).toBe('Claude');
    expect(clientName('')).toBe('Unnamed app');
    expect(Array.from(clientName('🌱'.repeat(200)))).toHaveLength(61);
  });

  it('name the action and its target', () => {
    expect(deedText('Save state', { name: 'Plan' })).toBe('Save state: Plan');
    expect(deedText('Save state', { name: 7 })).toBe('Save state');
  });

  it('label each parameter and put list items on separate lines', () => {
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

  it('recover the name from truncated parameters only if it is certain', () => {
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
