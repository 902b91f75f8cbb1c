import { describe, expect, it } from 'vitest';
import { TRACE_KINDS } from '../../../src/model/trace.js';
import { exportLines } from '../../../src/transfer/export.js';
import { importLines } from '../../../src/transfer/import.js';
import { readLines } from '../../../src/storage/read/log-lines.js';
import { createTestVault, garden, type TestVault } from '../../fakes/test-vault.js';

const told = {
  kind: 'observation',
  content: 'The pump needs a new gasket.',
  files: ['Garden/Pump.md'],
  outcome: 'Ordered one',
};

async function tracesOf(vault: TestVault) {
  await vault.idle();
  return vault.log.readTraces(await vault.log.traceEntries('default'));
}

describe('logTrace', () => {
  it.each(TRACE_KINDS)(
    'keeps a trace of kind %s with all that was told, once, and none of its own call',
    async (kind) => {
      const vault = createTestVault();
      const context = { goal: 'Water the beds', memory: 'Pump leaked' };
      expect(await vault.call('logTrace', { ...told, kind, context })).toEqual({ success: true });
      const { outcome, files, content } = told;
      expect(await tracesOf(vault)).toMatchObject([
        {
          kind,
          input: content,
          outcome,
          files,
          isSuccess: true,
          agent: 'traceManager',
          tool: 'logTrace',
          sessionId: 'session',
          ...context,
        },
      ]);
    },
  );

  it('keeps a trace of a call that fails, as of any other', async () => {
    const vault = createTestVault();
    expect(await vault.error('logTrace', { ...told, kind: 'gossip' })).toContain(
      '"kind" must be one of "observation"',
    );
    expect(await vault.error('logTrace', { ...told, content: 'x'.repeat(2001) })).toBe(
      '"content" has 2001 characters. Keep to 2000, and put what is longer into a note.',
    );
    expect(await vault.error('logTrace', { ...told, outcome: 'x'.repeat(501) })).toContain(
      '"outcome" has 501 characters.',
    );
    expect(await vault.error('logTrace', { ...told, files: Array(51).fill('A.md') })).toContain(
      '50',
    );
    expect(await vault.error('logTrace', { ...told, content: ' ' })).toContain('is empty');
    const traces = await tracesOf(vault);
    expect(traces.map(({ kind, isSuccess }) => [kind, isSuccess])).toEqual(
      Array(5).fill([undefined, false]),
    );
  });

  it('takes out what looks like a secret, and says so', async () => {
    const vault = createTestVault();
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    const answer = await vault.call('logTrace', {
      ...told,
      content: `Used ${secret} to push`,
      outcome: 'password: hunter2hunter2',
    });
    expect(answer).toEqual({ success: true, notice: 'What looked like a secret was left out.' });
    const [trace] = await tracesOf(vault);
    expect(trace).toMatchObject({ input: 'Used [secret] to push', outcome: 'password: [secret]' });
    for (const path of vault.files.paths())
      expect(vault.files.text(path)).not.toMatch(/ghp_abc|hunter2/);
  });

  it('does not name what lies in excluded folders', async () => {
    const vault = createTestVault({ excluded: ['Private'] });
    await vault.data('logTrace', {
      ...told,
      content: 'Read "Private/Diary.md" again',
      files: ['Private/Diary.md', 'A.md', 'Savepoint/x'],
    });
    expect(await tracesOf(vault)).toMatchObject([
      { input: 'Read "[excluded]" again', files: ['[excluded]', 'A.md', 'Savepoint/x'] },
    ]);
  });

  it('takes effect once with a key, in another process too, and each time without one', async () => {
    const vault = createTestVault();
    const second = createTestVault({ files: vault.files, seed: 2 });
    for (const each of [vault, vault, second])
      expect(await each.call('logTrace', told, { key: 'k1' })).toEqual({ success: true });
    await vault.call('logTrace', told, { key: 'k2' });
    await vault.call('logTrace', told);
    await vault.call('logTrace', told);
    expect((await tracesOf(vault)).map(({ key }) => key)).toEqual([
      undefined,
      undefined,
      'k2',
      'k1',
    ]);
  });

  it('belongs to the workspace in use', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', garden);
    await vault.data('logTrace', told);
    await vault.idle();
    const find = (workspaceId: string) =>
      vault.data('searchMemory', { query: 'gasket', workspaceId });
    expect(await find('Garden')).toHaveLength(1);
    expect(await find('default')).toEqual([]);
  });

  it.each(['gasket', 'observation', 'ordered', 'pump.md'])(
    'is found by "%s" as soon as it is kept, with kind and context',
    async (query) => {
      const vault = createTestVault();
      await vault.data('logTrace', { ...told, context: { goal: 'Water the beds' } });
      expect(await vault.data('searchMemory', { query, workspaceId: 'default' })).toMatchObject([
        {
          type: 'trace',
          kind: 'observation',
          tool: 'logTrace',
          context: 'Water the beds',
          content: expect.stringContaining('gasket') as string,
        },
      ]);
    },
  );

  it('is as it was after an export and an import', async () => {
    const vault = createTestVault();
    await vault.data('logTrace', told);
    const { files } = await exportLines((await readLines(vault.files, 'Savepoint')).lines);
    const other = createTestVault({ seed: 7 });
    const source = { name: files[0]!.path, bytes: files[0]!.bytes };
    await importLines(other.files, 'Savepoint', [source], {
      mayMerge: false,
      isDryRun: false,
      day: '2026-12-01',
      tag: 'tagtagtag222',
    });
    expect(await tracesOf(other)).toEqual(await tracesOf(vault));
    expect(await tracesOf(other)).toMatchObject([{ kind: 'observation', files: told.files }]);
  });

  it('is refused where nothing may be written', async () => {
    const vault = createTestVault({
      refuse: ({ access }) => Promise.resolve(access === 'read' ? undefined : 'Read only.'),
    });
    expect(await vault.error('logTrace', told)).toBe('Read only.');
    expect((await tracesOf(vault)).filter(({ kind }) => kind)).toEqual([]);
  });
});
