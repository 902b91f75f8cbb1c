import { describe, expect, it } from 'vitest';
import { actionText, subjectOf } from '../../../../src/obsidian/calls/call-sentence.js';
import {
  clientName,
  paramsJson,
  shownParams,
} from '../../../../src/obsidian/clients/approvals/approval-texts.js';

describe('the texts of an approval', () => {
  it('trim and shorten the name of the client', () => {
    expect(clientName(' Claude ')).toBe('Claude');
    expect(clientName('')).toBe('Unnamed app');
    expect(Array.from(clientName('🌱'.repeat(200)))).toHaveLength(60);
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

  it('show invisible characters in names, values and keys as markers', () => {
    const params = {
      name: 'Plan \u202egnp.exe',
      tags: ['a\u200bb'],
      preferences: { 'k\u2066': 'v\u{e0041}' },
      'e\u202ex': 'y',
    };
    expect(clientName('Cl\u200baude')).toBe('Cl⟨U+200B⟩aude');
    const action = actionText('Save state', subjectOf(params));
    expect(action).toBe('Save state: Plan ⟨U+202E⟩gnp.exe');
    const shown = JSON.stringify(shownParams(params)) + paramsJson(params);
    expect(shown).not.toMatch(/[\p{DI}\p{Bidi_Control}]/u);
    for (const code of ['U+202E', 'U+200B', 'U+2066', 'U+E0041'])
      expect(shown.split(`⟨${code}⟩`).length, code).toBeGreaterThan(2);
  });
});
