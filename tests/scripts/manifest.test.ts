import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import manifest from '../../manifest.json';
import { fileProblems, manifestProblems, missingAddresses } from '../../scripts/manifest.mjs';
import { temporaryFolder } from '../fakes/program.js';

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const files: Record<string, string> = {
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
    ['README.md', undefined, 'README.md is missing or empty: restore it.'],
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

  it('are refused by the script, which names every problem', () => {
    const folder = temporaryFolder('manifest');
    const check = () =>
      spawnSync(
        process.execPath,
        [fileURLToPath(new URL('../../scripts/manifest.mjs', import.meta.url)), folder],
        { encoding: 'utf8' },
      );
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    expect(check()).toMatchObject({
      status: 0,
      stdout: `before a release: Set authorUrl in manifest.json to a public page of the author.
before a release: Set repository, homepage, bugs in package.json to the public addresses.\n`,
    });
    writeFileSync(join(folder, 'versions.json'), '{}');
    expect(check()).toMatchObject({
      status: 1,
      stdout: 'versions.json says nothing for 1.2.3, and manifest.json 1.13.0.\n',
    });
  });
});

describe('the manifest', () => {
  it('of this project keeps the rules of the store', () => {
    expect(manifestProblems(manifest)).toEqual([]);
  });

  it.each([
    'id',
    'name',
    'version',
    'minAppVersion',
    'description',
    'author',
    'isDesktopOnly',
  ] as const)('without %s is refused', (key) => {
    const { [key]: _, ...rest } = manifest;
    expect(manifestProblems(rest)).toEqual([`manifest.json: ${key} is missing.`]);
  });

  it.each([
    ['repository', 'https://example.org', 'the store knows no "repository"'],
    ['id', 'Save', 'id must be lower-case letters and hyphens'],
    ['id', 'obsidian-some', 'id must not contain "obsidian" or "plugin"'],
    ['id', 'some-plugin', 'id must not contain "obsidian" or "plugin"'],
    ['name', ' ', 'name is empty'],
    ['name', 'Some for Obsidian', 'name must not contain "Obsidian", parts of it, or "Plugin"'],
    ['name', 'Plugin of some', 'name must not contain "Obsidian", parts of it, or "Plugin"'],
    ['name', 'Obsisave', 'name must not contain "Obsidian", parts of it, or "Plugin"'],
    ['name', 'Savidian', 'name must not contain "Obsidian", parts of it, or "Plugin"'],
    ['author', '', 'author is empty'],
    ['author', 'Some <some@example.org>', 'author must not contain an email address'],
    ['version', 'v1.2.3', 'version must be three numbers'],
    ['minAppVersion', '1.13', 'minAppVersion must be three numbers'],
    ['isDesktopOnly', 'no', 'isDesktopOnly must be true or false'],
    ['authorUrl', '', 'authorUrl is empty: set or remove it'],
    ['authorUrl', 'https://obsidian.md', "authorUrl must not be the app's own site"],
    [
      'authorUrl',
      'https://example.org/some/Repo/',
      'authorUrl must be a page of the author, not the repository',
    ],
    ['fundingUrl', '', 'fundingUrl is empty: set or remove it'],
    ['fundingUrl', {}, 'fundingUrl is empty: set or remove it'],
    ['fundingUrl', { Some: '' }, 'fundingUrl is empty: set or remove it'],
    ['fundingUrl', 'https://obsidian.md/pricing', "fundingUrl must not be the app's own site"],
    ['description', 'Save it.', 'description must have 10 to 250 characters, and has 8'],
    [
      'description',
      `Save ${'it '.repeat(82)}.`,
      'description must have 10 to 250 characters, and has 252',
    ],
    [
      'description',
      'Save the work',
      'description must start with a capital letter and end with a period',
    ],
    [
      'description',
      'save the work.',
      'description must start with a capital letter and end with a period',
    ],
    ['description', 'A memory for work.', 'description must start with what the user can do'],
    ['description', 'Save in Obsidian.', 'description must not contain "Obsidian" or "plugin"'],
    ['description', 'Use the plugin well.', 'description must not contain "Obsidian" or "plugin"'],
    [
      'description',
      'Save the work 🎉.',
      'description must have no emoji or special characters, only letters, digits and . , ! ? \' " -',
    ],
  ])('with %s %j breaks one rule', (key, value, rule) => {
    const problems = manifestProblems(
      { ...manifest, [key]: value },
      'git+https://www.example.org/some/repo.git',
    );
    expect(problems).toEqual([`manifest.json: ${rule}.`]);
  });

  it.each([
    ['authorUrl', 'https://example.org/some'],
    ['fundingUrl', 'https://example.org/give'],
    ['fundingUrl', { Some: 'https://example.org/give' }],
  ])('may have %s %j', (key, value) => {
    expect(manifestProblems({ ...manifest, [key]: value })).toEqual([]);
  });
});

describe('what the owner has to enter', () => {
  it('is nothing once every address is set', () => {
    const address = 'https://example.org';
    const complete = {
      'manifest.json': json({ authorUrl: address }),
      'package.json': json({ repository: address, homepage: address, bugs: address }),
    };
    expect(missingAddresses(complete)).toEqual([]);
    expect(missingAddresses({ ...complete, 'manifest.json': '{}' })).toEqual([
      'Set authorUrl in manifest.json to a public page of the author.',
    ]);
  });
});
