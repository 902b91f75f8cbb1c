import { describe, expect, it } from 'vitest';
import { clip, Refusal } from '../../src/model/refusal.js';

describe('the refusal module', () => {
  it('has an error class with its own name', () => {
    expect(new Refusal('No.')).toBeInstanceOf(Error);
    expect(String(new Refusal('No.'))).toBe('Refusal: No.');
  });

  it('truncates long text to the limit, and keeps short text', () => {
    expect(clip('x'.repeat(80))).toBe('x'.repeat(80));
    expect(clip('x'.repeat(81))).toBe(`${'x'.repeat(79)}…`);
  });

  it('shows the invisible characters of the shortened text as markers', () => {
    expect(clip('Plan \u202egnp.exe', 7)).toBe('Plan ⟨U+202E⟩…');
    expect(clip('a\u200d👧👧', 3)).toBe('a⟨U+200D⟩…');
  });
});
