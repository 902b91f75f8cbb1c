import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RULE_NAMES } from '../../../src/agents/validation-manager/shared/findings.js';
import { stateData } from '../../../src/model/state.js';
import type { Files } from '../../../src/platform/files.js';
import { createProjectFolder } from '../../../src/node/provenance/project-folder.js';
import { createFolder, node } from '../../node/folders.js';
import { createTestVault, garden, stateNamed, type TestVault } from '../../fakes/test-vault.js';

interface Found {
  rule: string;
  severity: string;
  where: string;
  line?: number;
  what: string;
  fix: string;
}

interface Report {
  findings: Found[];
  more?: { rule: string; count: number }[];
  checked: { notes: number; states: number };
}

const run = async (vault: TestVault, params: Record<string, unknown> = {}) =>
  (await vault.data('validateWorkspace', params)) as Report;

async function gardenVault(
  options: Parameters<typeof createTestVault>[0] = {},
): Promise<TestVault> {
  const vault = createTestVault(options);
  await vault.data('createWorkspace', { ...garden, keyFiles: ['Garden/Beds.md'] });
  vault.files.put('Garden/Beds.md', 'Three beds, see [[Pump]].');
  vault.files.put('Garden/Tools/Pump.md', 'See [[Beds|the beds]] and ![[pump.png]].');
  vault.files.put('Garden/Tools/Pump.png', new Uint8Array([1]));
  return vault;
}

describe('validateWorkspace', () => {
  it('finds nothing in a valid workspace, and counts what it checked', async () => {
    const vault = await gardenVault();
    await vault.data(
      'createState',
      stateNamed('One', { activeFiles: ['Garden/Beds.md', 'Garden/Tools/Pump'] }),
    );
    expect(await run(vault)).toEqual({ findings: [], checked: { notes: 2, states: 1 } });
  });

  it('finds missing key files and active files, each once', async () => {
    const vault = await gardenVault();
    await vault.files.remove('Garden/Beds.md');
    for (const name of ['One', 'Two', 'Three', 'Four'])
      await vault.data(
        'createState',
        stateNamed(name, { activeFiles: ['Garden/Gone.md', '../out.md'] }),
      );
    await vault.data('createState', stateNamed('Archived', { activeFiles: ['Garden/Other.md'] }));
    await vault.data('archiveState', { name: 'Archived' });
    const { findings } = await run(vault, { rules: ['missingFiles'] });
    expect(findings).toMatchObject([
      {
        rule: 'missingFiles',
        severity: 'warning',
        where: 'Garden/Beds.md',
        what: 'This key file of workspace "Garden" does not exist.',
      },
      {
        rule: 'missingFiles',
        severity: 'info',
        where: 'Garden/Gone.md',
        what: expect.stringContaining('4 states (') as string,
      },
    ]);
    expect(findings).toHaveLength(2);
  });

  it('finds no file missing that is in the client’s project, or that cannot be looked for', async () => {
    const folder = createFolder();
    mkdirSync(join(folder, 'src'));
    for (const name of ['key.ts', 'named.ts', 'absolute.ts', 'later.ts'])
      writeFileSync(join(folder, 'src', name), '');
    const elsewhere = { defaults: { sessionId: 's' } };
    const inProject = { defaults: { sessionId: 's', project: { key: 'k', folder } } };
    const device = { openProject: (at: string) => createProjectFolder(node, at) };
    const vault = createTestVault({ device });
    const named = `${basename(folder)}:src/named.ts`;
    const absolute = join(folder, 'src/absolute.ts');
    const keyFiles = [
      'src/key.ts',
      named,
      absolute,
      '/elsewhere/a.ts',
      '~/b.ts',
      'C:\\c.ts',
      'gone.ts',
    ];
    await vault.data('createWorkspace', { ...garden, keyFiles }, inProject);
    await vault.data(
      'createState',
      stateNamed('One', { activeFiles: ['src/later.ts'] }),
      elsewhere,
    );
    const missing = async (more: object) =>
      (
        (await vault.data('validateWorkspace', { rules: ['missingFiles'] }, more)) as Report
      ).findings.map(({ where }) => where);
    expect(await missing(inProject)).toEqual(['gone.ts']);
    expect(await vault.data('loadWorkspace', { name: 'Garden' }, inProject)).toMatchObject({
      missingFiles: ['gone.ts'],
    });
    // another host, which cannot look into the project
    expect(await missing(elsewhere)).toEqual(['gone.ts', 'src/later.ts']);
  });

  it('finds broken links, and suggests files with the same name', async () => {
    const vault = await gardenVault();
    vault.files.put(
      'Garden/Plan.md',
      '---\nup: "[[Nowhere]]"\n---\n[[Beds]] ![[lost.png]]\n`[[Code]]`\n[a](Old/Pump.md) [[Lost#x]]\n[[lost]]',
    );
    vault.files.put('House/Plan.md', '[[Of another folder]]');
    const { findings } = await run(vault, { rules: ['brokenLinks'] });
    expect(findings.map(({ where, line, what }) => [where, line, what])).toEqual([
      ['Garden/Plan.md', 2, 'The target of the link "Nowhere" does not exist.'],
      ['Garden/Plan.md', 4, 'The target of the link "lost.png" does not exist.'],
      ['Garden/Plan.md', 6, 'The target of the link "Old/Pump.md" does not exist.'],
      ['Garden/Plan.md', 6, 'The target of the link "Lost" does not exist.'],
    ]);
    expect(findings[2]!.fix).toBe('Link to "Garden/Tools/Pump.md" if that is the intended file.');
  });

  it('never reads excluded folders, but accepts links into them', async () => {
    const reads: string[] = [];
    const wrap = (files: Files): Files => ({
      ...files,
      read: (path, from) => (reads.push(path), files.read(path, from)),
    });
    const vault = await gardenVault({ excluded: ['Garden/Private'], wrap });
    vault.files.put('Garden/Private/Diary.md', '[[Nowhere]]');
    vault.files.put('Garden/Plan.md', '[[Diary]] [x](.obsidian/app.json)');
    expect((await run(vault)).findings).toEqual([]);
    expect(reads).toContain('Garden/Plan.md');
    expect(reads).not.toContain('Garden/Private/Diary.md');
  });

  it('finds states whose content does not match their hash', async () => {
    const vault = await gardenVault();
    await vault.data('createState', stateNamed('Good'));
    const { id } = (await vault.data('loadWorkspace', { name: 'Garden' })) as { id: string };
    const content = {
      name: 'Forged',
      conversationContext: 'Lies',
      activeTask: 't',
      activeFiles: [],
      nextSteps: [],
    };
    await vault.log.write(() => ({
      drafts: [{ t: 'state.new', e: 'forged', d: stateData(id, content, '0'.repeat(64)) }],
      answer: undefined,
    }));
    const { findings } = await run(vault);
    expect(findings).toMatchObject([
      {
        rule: 'logProblems',
        severity: 'error',
        what: expect.stringMatching(/^1 states that differ from what was saved/) as string,
      },
    ]);
  });

  it('finds names that are easily confused', async () => {
    const vault = await gardenVault();
    // The name has a Cyrillic a.
    await vault.data('createWorkspace', { ...garden, name: 'Gаrden', rootFolder: 'Other' });
    await vault.data('loadWorkspace', { name: 'Garden' });
    for (const name of ['Scope', 'Ѕсоре', 'Sc0pe', 'Stamp'])
      await vault.data('createState', stateNamed(name));
    const { findings } = await run(vault, { rules: ['lookAlikes'] });
    expect(findings.map(({ what }) => what)).toEqual([
      expect.stringMatching(/^The name of this state looks like that of 2 states \("/),
      'The name of this workspace looks like that of workspace "Gаrden".',
    ]);
    expect(findings[0]!.what).not.toContain('Stamp');
  });

  it('finds log problems and conflict copies', async () => {
    const vault = await gardenVault();
    await vault.data('createState', stateNamed('One'));
    await vault.data('createState', stateNamed('Two'));
    await vault.idle();
    const segment = vault.files.paths().find((path) => path.startsWith('Savepoint/core/'))!;
    const text = vault.files.text(segment);
    const lines = text.trimEnd().split('\n');
    const at = lines.findIndex((line) => line.includes('"One"'));
    vault.files.put(
      segment.replace('.jsonl', '.sync-conflict-20261120-090000-ABCDEFG.jsonl'),
      text.slice(0, text.indexOf(lines[at]!)),
    );
    vault.files.put(
      segment,
      `${lines.map((line, index) => (index === at ? line.replace('We talked.', 'We shouted.') : line)).join('\n')}\n`,
    );
    const second = createTestVault({ files: vault.files, seed: 3 });
    await second.data('loadWorkspace', { name: 'Garden' });
    const { findings } = await run(second, { rules: ['logProblems'] });
    expect(findings.map(({ severity }) => severity)).toEqual(
      [...findings.map(({ severity }) => severity)].sort((a, b) => rank(a) - rank(b)),
    );
    expect(findings).toContainEqual(
      expect.objectContaining({
        severity: 'warning',
        where: segment,
        what: expect.stringMatching(/^1 lines that were changed/) as string,
      }),
    );
    expect(findings).toContainEqual(
      expect.objectContaining({
        severity: 'error',
        what: expect.stringContaining('are not here') as string,
      }),
    );
    expect(findings).toContainEqual(
      expect.objectContaining({
        severity: 'info',
        where: expect.stringContaining('sync-conflict') as string,
      }),
    );
  });

  it('checks the links and references of a single file', async () => {
    const vault = await gardenVault();
    vault.files.put('Garden/Plan.md', '[[Nowhere]]');
    await vault.data('createState', stateNamed('One', { activeFiles: ['Garden/Gone.md'] }));
    expect(await run(vault, { scope: 'file', path: 'Garden/Plan.md' })).toMatchObject({
      findings: [{ rule: 'brokenLinks', where: 'Garden/Plan.md', line: 1 }],
      checked: { notes: 1 },
    });
    expect((await run(vault, { scope: 'file', path: 'Garden/Gone.md' })).findings).toMatchObject([
      { rule: 'missingFiles', where: 'Garden/Gone.md' },
    ]);
    expect((await run(vault, { scope: 'file', path: 'Garden/Beds.md' })).findings).toEqual([]);
  });

  it.each([
    [{ scope: 'file' }, 'scope "file" requires "path".'],
    [{ path: 'Garden/Beds.md' }, '"path" only applies when scope is "file".'],
    [{ scope: 'file', path: '../x.md' }, 'leads outside the vault'],
    [{ scope: 'file', path: '.obsidian/app.json' }, 'is in an excluded folder'],
    [{ scope: 'file', path: 'Private/Diary.md' }, 'is in an excluded folder'],
    [{ scope: 'file', path: 'Savepoint/README.md' }, 'is in an excluded folder'],
    [{ scope: 'file', path: 'Garden/Nothing.md' }, 'File "Garden/Nothing.md" not found.'],
    [
      { scope: 'file', path: 'Garden/Beds.md', rules: ['lookAlikes'] },
      'Rule "lookAlikes" does not apply to single files.',
    ],
    [{ rules: ['spelling'] }, '"rules.0" must be one of "logProblems"'],
  ])('refuses %j with the reason', async (params, reason) => {
    const vault = await gardenVault({ excluded: ['Private'] });
    expect(await vault.error('validateWorkspace', params)).toContain(reason);
  });

  it('returns 100 findings per rule, and counts the rest', async () => {
    const vault = await gardenVault();
    vault.files.put(
      'Garden/Many.md',
      Array.from({ length: 250 }, (_, at) => `[[Missing ${at}]]`).join('\n'),
    );
    const { findings, more } = await run(vault);
    expect(findings).toHaveLength(100);
    expect(more).toEqual([{ rule: 'brokenLinks', count: 150 }]);
  });

  it('changes nothing in the vault', async () => {
    const vault = await gardenVault();
    vault.files.put('Garden/Plan.md', '[[Nowhere]]');
    await vault.idle();
    const snapshot = () =>
      vault.files
        .paths()
        .filter((path) => !path.startsWith('Savepoint/trace'))
        .map((path) => [path, vault.files.text(path)]);
    const before = snapshot();
    await run(vault);
    expect(snapshot()).toEqual(before);
  });

  it('finds exactly the links to deleted files in any vault', async () => {
    const name = fc.stringMatching(/^[a-z]{1,4}$/);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(name, { minLength: 2, maxLength: 8 }),
        fc.nat(),
        async (names, seed) => {
          const vault = createTestVault();
          for (const [at, each] of names.entries())
            vault.files.put(
              `F${at % 3}/${each}.md`,
              names.map((other) => `[[${other}]]`).join('\n'),
            );
          const gone = seed % names.length;
          await vault.files.remove(`F${gone % 3}/${names[gone]!}.md`);
          const { findings } = await run(vault, { rules: ['brokenLinks'] });
          expect(new Set(findings.map(({ what }) => what))).toEqual(
            new Set([`The target of the link "${names[gone]!}" does not exist.`]),
          );
          expect(findings).toHaveLength(names.length - 1);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('describes each finding and its fix in a sentence', async () => {
    const vault = await gardenVault();
    await vault.files.remove('Garden/Beds.md');
    for (const each of ['Scope', 'Ѕсоре'])
      await vault.data('createState', stateNamed(each, { activeFiles: ['x.md'] }));
    const { findings } = await run(vault, { rules: [...RULE_NAMES] });
    expect(findings.length).toBeGreaterThan(3);
    for (const { what, fix } of findings)
      for (const text of [what, fix]) expect(text).toMatch(/^[A-Z0-9].*\.$/);
  });
});

function rank(severity: string): number {
  return ['error', 'warning', 'info'].indexOf(severity);
}
