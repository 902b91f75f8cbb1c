import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bumped, disagreements } from '../scripts/version-bump.mjs';
import { temporaryFolder } from './fakes/program.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const NAMES = [
  'manifest.json',
  'package.json',
  'package-lock.json',
  'versions.json',
  'CHANGELOG.md',
];
const DAY = '2026-12-01';

const own = Object.fromEntries(NAMES.map((name) => [name, readFileSync(join(root, name), 'utf8')]));

/** Returns the files of a project with release 1.2.3 and unreleased changes. */
function project(
  changelog = '# Changelog\n\n## Unreleased\n\n- Something new.\n\n## 1.2.3 (2026-11-20)\n\n- The first.\n',
) {
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  return {
    'manifest.json': json({ id: 'some', version: '1.2.3', minAppVersion: '1.13.0' }),
    'package.json': json({ name: 'some', version: '1.2.3', files: ['main.js'] }),
    'package-lock.json': json({
      name: 'some',
      version: '1.2.3',
      packages: { '': { version: '1.2.3' }, 'node_modules/x': { version: '1.2.3' } },
    }),
    'versions.json': json({ '1.2.3': '1.12.0' }),
    'CHANGELOG.md': changelog,
  };
}

const agreeing = () => ({ ...project(), 'versions.json': '{\n  "1.2.3": "1.13.0"\n}\n' });

describe('the files of this project', () => {
  it('agree on the version', () => {
    expect(disagreements(own)).toEqual([]);
  });

  it('change only in the lines that contain the version', () => {
    const version = '999.0.0';
    const files: Record<string, string> = { ...own, 'CHANGELOG.md': agreeing()['CHANGELOG.md'] };
    for (const [name, text] of Object.entries(bumped(files, version, DAY))) {
      const before = files[name]?.split('\n') ?? [];
      const added = text.split('\n').filter((line) => !before.includes(line));
      expect(added.join('\n'), name).toContain(version);
      expect(added.length, name).toBeLessThanOrEqual(2);
    }
  });
});

describe('a version bump', () => {
  it('writes the version everywhere except in other packages', () => {
    const files = bumped(agreeing(), '1.3.0', DAY);
    expect(disagreements(files, '1.3.0')).toEqual([]);
    expect(JSON.parse(files['package-lock.json'])).toMatchObject({
      packages: { '': { version: '1.3.0' }, 'node_modules/x': { version: '1.2.3' } },
    });
    expect(JSON.parse(files['versions.json'])).toEqual({ '1.2.3': '1.13.0', '1.3.0': '1.13.0' });
    expect(files['CHANGELOG.md']).toContain(`## 1.3.0 (${DAY})\n\n- Something new.`);
  });

  it.each(['1.2.10', '1.10.0', '10.0.0'])('accepts %s as later than 1.2.3', (version) => {
    expect(JSON.parse(bumped(agreeing(), version, DAY)['manifest.json'])).toMatchObject({
      version,
    });
  });

  it('dates the changelog entry if the files already have its version', () => {
    const promised = {
      ...agreeing(),
      'CHANGELOG.md': '# Changelog\n\n## 1.2.3 (unreleased)\n\n- All of it.\n',
    };
    expect(bumped(promised, '1.2.3', DAY)['CHANGELOG.md']).toContain(`## 1.2.3 (${DAY})\n`);
  });

  it.each([
    ['1.2', /"1\.2" is not a version\. Give three numbers/],
    ['v1.3.0', /is not a version/],
    ['1.3.0-beta', /is not a version/],
    ['01.3.0', /is not a version/],
    ['1.2.3', /1\.2\.3 does not come after 1\.2\.3/],
    ['1.1.9', /1\.1\.9 does not come after 1\.2\.3/],
  ])('refuses %s', (version, words) => {
    expect(() => bumped(agreeing(), version, DAY)).toThrow(words);
  });

  it.each([
    [
      '# Changelog\n\n## 1.2.3 (2026-11-20)\n\n- The first.\n',
      /begins with "1\.2\.3 \(2026-11-20\)", which is already released/,
    ],
    [
      '# Changelog\n\n## Unreleased\n\n## 1.2.3 (2026-11-20)\n\n- The first.\n',
      /has no entries under "Unreleased"/,
    ],
    ['# Changelog\n', /has no heading/],
  ])('refuses a changelog without new entries (%#)', (changelog, words) => {
    expect(() => bumped({ ...agreeing(), 'CHANGELOG.md': changelog }, '1.3.0', DAY)).toThrow(words);
  });

  it('is refused if the files disagree', () => {
    expect(() => bumped(project(), '1.3.0', DAY)).toThrow(
      /disagree on the current version.*versions\.json says 1\.12\.0 for 1\.2\.3/,
    );
  });
});

describe('the version check', () => {
  it.each([
    [
      'package.json',
      (text: string) => text.replace('1.2.3', '1.2.4'),
      /^package\.json has 1\.2\.4, and manifest\.json 1\.2\.3\.$/,
    ],
    [
      'package-lock.json',
      (text: string) => text.replace('1.2.3', '1.2.4'),
      /^package-lock\.json has 1\.2\.4/,
    ],
    ['versions.json', () => '{}', /^versions\.json says nothing for 1\.2\.3/],
    [
      'CHANGELOG.md',
      () => '## 1.2.2 (2026-11-01)\n\n- Old.\n',
      /^CHANGELOG\.md begins with "1\.2\.2 \(2026-11-01\)"/,
    ],
  ])('names %s if it has another version', (name, change, words) => {
    const files: Record<string, string> = agreeing();
    files[name] = change(files[name] ?? '');
    const problems = disagreements(files);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(words);
  });

  it('requires the tag to match the version, and a released changelog', () => {
    expect(disagreements(agreeing(), 'v1.2.3')).toEqual([
      'The tag is v1.2.3 but the version is 1.2.3: the plugin store requires them to be equal.',
      'CHANGELOG.md still begins with "Unreleased".',
    ]);
  });
});

describe('the version-bump script', () => {
  function copy() {
    const folder = temporaryFolder('version');
    mkdirSync(join(folder, 'scripts'));
    cpSync(join(root, 'scripts/version-bump.mjs'), join(folder, 'scripts/version-bump.mjs'));
    for (const [name, text] of Object.entries(agreeing())) writeFileSync(join(folder, name), text);
    return { folder, script: join(folder, 'scripts/version-bump.mjs') };
  }

  it('writes the files, whose versions then agree', () => {
    const { folder, script } = copy();
    expect(
      execFileSync(process.execPath, [script, '1.3.0', '--dry-run'], { encoding: 'utf8' }),
    ).toMatch(/^Would write manifest\.json, /);
    expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).toContain('"1.2.3"');
    execFileSync(process.execPath, [script, '1.3.0']);
    expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).toContain('"1.3.0"');
    expect(execFileSync(process.execPath, [script, '--check', '1.3.0'], { encoding: 'utf8' })).toBe(
      'All agree on 1.3.0.\n',
    );
  });

  it.each([[[]], [['--force', '1.3.0']], [['1.2.0']], [['--check', 'v1']]])(
    'fails with a message and writes nothing for the arguments %j',
    (args) => {
      const { folder, script } = copy();
      const { status, stderr } = spawnSync(process.execPath, [script, ...args], {
        encoding: 'utf8',
      });
      expect(status).toBe(1);
      expect(stderr).not.toMatch(/at .*\.mjs:\d/);
      expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).toContain('"1.2.3"');
    },
  );
});
