import { describe, expect, it } from 'vitest';
import { conflictOriginal } from '../../src/platform/conflict-names.js';

describe('conflictOriginal', () => {
  it.each([
    ['Syncthing', 'plan.sync-conflict-20261120-101112-ABCDEF2.md', 'plan.md'],
    ['an older Syncthing', 'plan.sync-conflict-20161120-101112.md', 'plan.md'],
    ['Syncthing, without an extension', 'plan.sync-conflict-20261120-101112-ABCDEF2', 'plan'],
    ['Dropbox', "plan (Ana's conflicted copy 2026-11-20).md", 'plan.md'],
    ['Dropbox, for letter case', 'plan (Case Conflict).md', 'plan.md'],
    ['Dropbox, for Unicode encoding', 'plan (Unicode Encoding Conflict 1).md', 'plan.md'],
    ['Nextcloud', 'plan (conflicted copy 2026-11-20 101112).md', 'plan.md'],
    ['an older Nextcloud', 'plan_conflict-20261120-101112.md', 'plan.md'],
    ['Obsidian Sync', 'plan (Conflicted copy phone 202611201011).md', 'plan.md'],
    ['Seafile', 'plan (SFConflict ana@example.org 2026-11-20-10-11-12).md', 'plan.md'],
  ])('recognizes a copy by %s without the original', (_, name, original) => {
    expect(conflictOriginal(name, new Set())).toBe(original);
  });

  it.each([
    ['iCloud', 'plan 2.md'],
    ['iCloud, with a two-digit number', 'plan 12.md'],
    ['Google Drive', 'plan (1).md'],
    ['Google Drive, with a two-digit number', 'plan (12).md'],
    ['a browser', 'plan(1).md'],
    ['OneDrive', 'plan-DESKTOP-AB12CD3.md'],
    ['Remotely Save', 'plan.dup.md'],
  ])('recognizes a copy by %s only next to the original', (_, name) => {
    expect(conflictOriginal(name, new Set(['plan.md']))).toBe('plan.md');
    expect(conflictOriginal(name, new Set(['plan', 'plan.txt']))).toBeUndefined();
  });

  it('ignores names that users choose', () => {
    const names = new Set(['plan.md', 'Chapter.md', 'a', 'undefined.md']);
    for (const name of [
      'plan.md',
      'plan 1.md',
      'Chapter one.md',
      'Chapter-old.md',
      'conflict.md',
      'plan 2026.md',
      '2.md',
      '(1).md',
      'a.b',
    ])
      expect(conflictOriginal(name, names), name).toBeUndefined();
  });

  it('ignores names that only resemble a pattern', () => {
    const names = [
      'plan 02',
      'plan 1x',
      'plan (1x)',
      'plan (1) x',
      'plan-DESKTOP-AB12 x',
      'plan.dup2',
    ];
    const sure = [
      'plan.sync-conflict-20261120-101112x',
      'plan (conflicted copy) x',
      'plan_conflict-20261120-1011123',
    ];
    for (const name of [...names, ...sure])
      expect(conflictOriginal(`${name}.md`, new Set(['plan.md'])), name).toBeUndefined();
  });

  it('ignores names with several lines', () => {
    const names = ['plan 2', 'plan (1)', 'plan-DESKTOP-AB12', 'plan.dup'];
    const sure = [
      'plan.sync-conflict-20261120-101112',
      'plan (conflicted copy)',
      'plan_conflict-20261120-101112',
    ];
    for (const name of [...names, ...sure])
      expect(conflictOriginal(`My\n${name}`, new Set(['plan'])), name).toBeUndefined();
  });
});
