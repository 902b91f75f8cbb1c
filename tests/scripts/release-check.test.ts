import { describe, expect, it } from 'vitest';
import manifest from '../../manifest.json';
import { fileProblems, manifestProblems, pictureProblems } from '../../scripts/release-check.mjs';

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const files: Record<string, string | undefined> = {
  'README.md': '# Some',
  LICENSE: 'MIT',
  'SECURITY.md': '# Security',
  'styles.css': 'a {}',
  'main.js': 'x',
  'manifest.json': json({ ...manifest, version: '1.2.3', minAppVersion: '1.13.0' }),
  'package.json': json({ version: '1.2.3' }),
  'package-lock.json': json({ version: '1.2.3', packages: { '': { version: '1.2.3' } } }),
  'versions.json': json({ '1.2.3': '1.13.0' }),
  'CHANGELOG.md': '# Changelog\n\n## 1.2.3 (2026-11-20)\n\n- The first.\n',
};

describe('the files of a release', () => {
  it('have no problem if all agree', () => {
    expect(fileProblems(files)).toEqual([]);
  });

  it.each([
    ['main.js', undefined, 'main.js does not exist: run npm run build.'],
    ['LICENSE', ' ', 'LICENSE is missing or empty: restore it.'],
    ['versions.json', '{}', 'versions.json says nothing for 1.2.3, and manifest.json 1.13.0.'],
    ['package.json', '{"version":"1.2.4"}', 'package.json has 1.2.4, and manifest.json 1.2.3.'],
    [
      'CHANGELOG.md',
      '## 1.2.2 (2026-11-01)\n\n- Old.',
      'CHANGELOG.md begins with "1.2.2 (2026-11-01)", not with 1.2.3.',
    ],
  ])('are refused with a wrong %s', (name, text, problem) => {
    expect(fileProblems({ ...files, [name]: text })).toEqual([problem]);
  });

  it('are refused in one sentence if one is not JSON', () => {
    expect(fileProblems({ ...files, 'manifest.json': '{' })).toEqual([
      expect.stringMatching(/^A file cannot be parsed: /),
    ]);
  });
});

describe('the manifest', () => {
  it('of this project keeps the rules of the store', () => {
    expect(manifestProblems(manifest)).toEqual([]);
  });

  it.each([
    ['id', 'obsidian-some', 'id must not contain "obsidian" or end in "plugin"'],
    ['description', 'A memory.', 'description must start with what the user can do'],
    [
      'description',
      'Save it',
      'description must start with a capital letter and end with a period',
    ],
    ['minAppVersion', '1.13', 'minAppVersion must be three numbers'],
    ['author', '', 'author is missing'],
  ])('with %s "%s" breaks one rule', (key, value, rule) => {
    expect(manifestProblems({ ...manifest, [key]: value })).toEqual([`manifest.json: ${rule}.`]);
  });
});

describe("the store's pictures", () => {
  const png = (width: number, height: number) => {
    const bytes = Buffer.from('\x89PNG\r\n\x1a\n____IHDR________', 'latin1');
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    return bytes;
  };
  const wide = { 'some-1200x800.png': png(1200, 800) };
  const tall = { 'some-900x1600.png': png(900, 1600) };

  it('have no problem with the sizes in their names', () => {
    expect(pictureProblems({ ...wide, ...tall })).toEqual([]);
  });

  it('are refused with another size', () => {
    expect(pictureProblems({ ...wide, ...tall, 'other-900x1600.png': png(360, 640) })).toEqual([
      "The store's picture other-900x1600.png has 360x640 pixels.",
    ]);
  });

  it('are refused if there is none of a size', () => {
    expect(pictureProblems(wide)).toEqual(["The store's pictures have none of 900x1600."]);
  });
});
