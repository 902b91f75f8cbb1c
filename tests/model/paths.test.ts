import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isHidden,
  isWithin,
  readSettingsDataFolder,
  readSettingsFolders,
  readVaultPath,
  toVaultPath,
} from '../../src/model/paths.js';

describe('the paths module', () => {
  it.each([
    '../outside',
    'a/../../b',
    'a/..',
    '..',
    '/etc',
    '/etc/passwd',
    '//server/share',
    'C:\\x',
    'c:/x',
    'C:',
    'C:x',
    './ C:x',
    ' /etc',
    './ ..',
    'project:src/a.ts',
    'outside:a.ts',
    '\\\\server\\share',
    'a\\b',
    '..\\x',
    'a\0b',
    'a\nb',
    'a\u0085b',
    `${'a/'.repeat(2500)}`,
    'x'.repeat(1001),
  ])('refuses %j with a reason', (typed) => {
    const reading = readVaultPath(typed);
    expect(reading).toHaveProperty('problem');
    expect(JSON.stringify(reading).length).toBeLessThan(200);
  });

  it('names the allowed location when it refuses a path', () => {
    for (const typed of ['../x', '/x', 'C:x']) {
      expect(readVaultPath(typed)).toMatchObject({
        problem: expect.stringContaining('inside the vault') as string,
      });
      expect(readVaultPath(typed, 'this storage')).toMatchObject({
        problem: expect.stringContaining('inside this storage') as string,
      });
    }
  });

  it.each([
    ['', ''],
    ['.', ''],
    ['/', ''],
    ['./', ''],
    ['Notes', 'Notes'],
    ['  Notes/a b ', 'Notes/a b'],
    ['./ Notes /', 'Notes'],
    ['Notes/', 'Notes'],
    ['./Notes//a/./b.md', 'Notes/a/b.md'],
    ['..a/b..', '..a/b..'],
    ['.../a', '.../a'],
    ['日本/ノート.md', '日本/ノート.md'],
    ['__proto__/constructor', '__proto__/constructor'],
    ['~/x', '~/x'],
    ['%2e%2e/x', '%2e%2e/x'],
  ])('reads %j as %j', (typed, path) => {
    expect(readVaultPath(typed)).toEqual({ path });
  });

  it('tells a path from one with a problem', () => {
    expect(toVaultPath('./Notes/')).toBe('Notes');
    expect(toVaultPath('../Notes')).toBeUndefined();
  });

  it('accepts only a visible data folder in the settings', () => {
    expect(readSettingsDataFolder(' Memory/')).toBe('Memory');
    for (const value of ['', '/', '.hidden', 'a/.b', '../a', 7, undefined])
      expect(readSettingsDataFolder(value)).toBeUndefined();
  });

  it('returns the folders of a list in the settings', () => {
    expect(readSettingsFolders(['Diary/', '.trash'])).toEqual(['Diary', '.trash']);
    expect(readSettingsFolders('Diary')).toEqual(['Diary']);
    expect(readSettingsFolders(['/Private', ' Diary ', ' //a/'])).toEqual([
      'Private',
      'Diary',
      'a',
    ]);
    for (const nothing of [undefined, null, '', []])
      expect(readSettingsFolders(nothing)).toEqual([]);
  });

  it.each([{ folders: ['a'] }, 7, ['../a'], [['a']], [{ path: 'a' }], ['a\\b'], ['/'], ['']])(
    'excludes the whole vault if %j is not understood',
    (value) => {
      expect(readSettingsFolders(value)).toEqual(['']);
      expect(readSettingsFolders(['Diary', value].flat())).toEqual(['Diary', '']);
    },
  );

  it('never returns a path outside the vault, and is idempotent', () => {
    const hostile = fc.array(
      fc.constantFrom('a', '..', '.', '/', '\\', 'c:', ' ', '\0', '~', 'Notes'),
      { maxLength: 10 },
    );
    fc.assert(
      fc.property(hostile, (parts) => {
        const reading = readVaultPath(parts.join(''));
        if (!('path' in reading)) return;
        expect(reading.path.split('/')).not.toContain('..');
        expect(reading.path).not.toMatch(/^\/|^[a-z]:|\\|\0/iu);
        expect(readVaultPath(reading.path)).toEqual(reading);
      }),
      { examples: [[['.', '/', 'c:']], [['.', '/', ' ', 'c:']], [['.', '/', ' ', '..']]] },
    );
  });

  it('ignores letter case for paths inside a folder', () => {
    expect(isWithin('Notes/a.md', 'notes')).toBe(true);
    expect(isWithin('Notes', 'Notes')).toBe(true);
    expect(isWithin('U\u0308bung/a.md', 'übung')).toBe(true);
    expect(isWithin('Übung/a.md', 'u\u0308bung')).toBe(true);
    expect(isWithin('anything', '')).toBe(true);
    expect(isWithin('Notes2/a.md', 'Notes')).toBe(false);
    expect(isWithin('Notes', 'Notes/a')).toBe(false);
  });

  it('treats a path with a part that starts with a dot as hidden', () => {
    expect([
      isHidden('.obsidian/app.json'),
      isHidden('a/.b/c'),
      isHidden('a.b/c.d'),
      isHidden(''),
    ]).toEqual([true, true, false, false]);
  });
});
