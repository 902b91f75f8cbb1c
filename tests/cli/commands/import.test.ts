// Tier full: imports through the program; tests/transfer covers them in one process
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram, temporaryFolder } from '../../fakes/program.js';
import {
  CONTEXT,
  shardsOf,
  stateSaved,
  workspaceCreated,
} from '../../transfer/foreign/nexus-vault.js';
import { inFull } from '../../tier.js';

const itInFull = it.runIf(inFull('further imports from other programs'));

const T = Date.UTC(2026, 4, 1);

function put(folder: string, files: Record<string, string | Uint8Array>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

const nexus = () =>
  Object.fromEntries(
    shardsOf([
      workspaceCreated('w1', T, { name: 'Garden' }),
      stateSaved('s1', 'w1', T + 1, CONTEXT, { name: 'Sown' }),
    ]).map(({ name, bytes }) => [`Nexus/data/${name}`, bytes]),
  );

describe('import from another program', () => {
  it('detects the program, obeys --dry-run, and adds nothing the second time', async () => {
    const vault = temporaryFolder();
    put(vault, nexus());
    const load = (...more: string[]) =>
      runProgram(['import', join(vault, 'Nexus'), '--vault', vault, ...more]);
    const dry = await load('--dry-run');
    expect(dry).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Nexus: 2 lines read\.[\s\S]*nothing was written\.\n$/,
      ) as string,
    });
    expect(readdirSync(vault)).toEqual(['.obsidian', 'Nexus']);
    expect(await load()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Everything new is saved.') as string,
    });
    expect(await load()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('There was nothing to add.') as string,
    });
    const result = await runProgram([
      'call',
      'loadState',
      '--vault',
      vault,
      '--workspace',
      'Garden',
      '--json',
      '{"name":"Sown"}',
    ]);
    expect(JSON.parse(result.stdout)).toMatchObject({
      data: { ...CONTEXT, createdAt: `${new Date(T + 1).toISOString().slice(0, 16)}Z` },
    });
    expect(await runProgram(['verify', '--vault', vault])).toMatchObject({ code: 0 });
  });

  itInFull('names damaged lines and exits with 1', async () => {
    const vault = temporaryFolder();
    put(vault, {
      ...nexus(),
      'Nexus/data/workspaces/w2/shard-000001.jsonl': '{"type":"state_saved","work\n',
    });
    const { code, stdout } = await runProgram([
      'import',
      join(vault, 'Nexus/data'),
      '--vault',
      vault,
      '--json',
    ]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      troubles: [
        { file: join('workspaces', 'w2', 'shard-000001.jsonl'), line: 1, kind: 'damaged' },
      ],
      kinds: { states: { added: 1 } },
    });
  });

  itInFull('refers to Basic Memory notes in the vault, and keeps them unchanged', async () => {
    const vault = temporaryFolder();
    const note = '---\ntitle: Signing in\npermalink: x\n---\n- [decision] Tokens are short\n';
    put(vault, { 'Notes/signing.md': note, 'Notes/plain.md': 'words' });
    expect(await runProgram(['import', join(vault, 'Notes'), '--vault', vault])).toMatchObject({
      code: 0,
    });
    const result = await runProgram([
      'call',
      'loadState',
      '--vault',
      vault,
      '--workspace',
      'Basic Memory',
      '--json',
      '{"name":"Signing in"}',
    ]);
    expect(JSON.parse(result.stdout)).toMatchObject({
      data: { activeFiles: ['Notes/signing.md'] },
    });
    expect(readFileSync(join(vault, 'Notes/signing.md'), 'utf8')).toBe(note);
  });

  itInFull('does not ask about the own log of a vault whose notes it imports again', async () => {
    const vault = temporaryFolder();
    put(vault, { '.obsidian/app.json': '{}', 'one.md': '---\npermalink: one\n---\n- [fact] x\n' });
    const bring = () => runProgram(['import', vault, '--vault', vault]);
    expect(await bring()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 new,') as string,
    });
    expect(await bring()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Basic Memory: 2 notes read[^]*There was nothing to add\.\n$/,
      ) as string,
    });
  });

  itInFull('asks for the program if there are several', async () => {
    const vault = temporaryFolder();
    put(vault, {
      ...nexus(),
      'memory.jsonl': '{"type":"entity","name":"Ada","entityType":"person","observations":[]}\n',
    });
    expect(await runProgram(['import', vault, '--vault', vault])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'Choose one: --from nexus or --from server-memory.',
      ) as string,
    });
    expect(
      await runProgram(['import', vault, '--vault', vault, '--from', 'server-memory']),
    ).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^server-memory: 1 line read\./) as string,
    });
  });
});
