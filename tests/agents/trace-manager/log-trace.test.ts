import { describe, expect, it } from 'vitest';
import { LOGGED_KINDS } from '../../../src/model/trace.js';
import { exportLines } from '../../../src/transfer/export.js';
import { importLines } from '../../../src/transfer/import.js';
import { readLogLines } from '../../../src/storage/log-lines.js';
import { createTestVault, garden, type TestVault } from '../../fakes/test-vault.js';

const entry = {
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
  it.each(LOGGED_KINDS)('stores one trace of kind %s with every field', async (kind) => {
    const vault = createTestVault();
    const context = { goal: 'Water the beds', memory: 'Pump leaked' };
    expect(await vault.call('logTrace', { ...entry, kind, context })).toMatchObject({
      success: true,
      workspace: 'Default',
    });
    const { outcome, files, content } = entry;
    expect(await tracesOf(vault)).toMatchObject([
      {
        kind,
        input: content,
        outcome,
        files,
        isSuccess: true,
        toolset: 'traceManager',
        tool: 'logTrace',
        sessionId: 'session',
        ...context,
      },
    ]);
  });

  it('keeps a pinned trace in the core lane, without secrets, for every brief', async () => {
    const vault = createTestVault();
    const content = 'Never use password=hunter2222 here';
    await vault.data('logTrace', { kind: 'error_pattern', content, pin: true });
    await vault.data('logTrace', { kind: 'error_pattern', content: 'Not pinned' });
    const core = vault.files.paths().filter((path) => path.includes('/core/'));
    const text = core.map((path) => vault.files.text(path)).join('');
    expect(text).toContain('"t":"pin.new"');
    expect(text).toContain('password=[secret]');
    expect(text).not.toMatch(/hunter2222|Not pinned/);
    expect(await vault.data('brief')).toMatch(
      /## Pinned\n> .* error_pattern: Never use password=\[secret\] here\n## Lessons and results\n> .* Not pinned$/,
    );
    expect(await vault.data('timeline', { kinds: ['error_pattern'] })).toHaveLength(2);
  });

  it('refuses invalid parameters, and traces each refused call', async () => {
    const vault = createTestVault();
    expect(await vault.error('logTrace', { ...entry, kind: 'gossip' })).toContain(
      '"kind" must be one of "observation"',
    );
    expect(await vault.error('logTrace', { ...entry, content: 'x'.repeat(2001) })).toBe(
      '"content" has 2001 characters. Use at most 2000, and put longer texts into a note.',
    );
    expect(await vault.error('logTrace', { ...entry, outcome: 'x'.repeat(501) })).toContain(
      '"outcome" has 501 characters.',
    );
    expect(await vault.error('logTrace', { ...entry, files: Array(51).fill('A.md') })).toContain(
      '50',
    );
    expect(await vault.error('logTrace', { ...entry, content: ' ' })).toContain('is empty');
    const traces = await tracesOf(vault);
    expect(traces.map(({ kind, isSuccess }) => [kind, isSuccess])).toEqual(
      Array(5).fill([undefined, false]),
    );
  });

  it('redacts secrets, and adds a notice', async () => {
    const vault = createTestVault();
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    const answer = await vault.call('logTrace', {
      ...entry,
      content: `Used ${secret} to push`,
      outcome: 'password: hunter2hunter2',
    });
    expect(answer).toEqual({
      success: true,
      workspace: 'Default',
      notice: 'Text that looked like a secret was removed.',
    });
    const [trace] = await tracesOf(vault);
    expect(trace).toMatchObject({ input: 'Used [secret] to push', outcome: 'password: [secret]' });
    for (const path of vault.files.paths())
      expect(vault.files.text(path)).not.toMatch(/ghp_abc|hunter2/);
  });

  it('redacts paths in excluded folders', async () => {
    const vault = createTestVault({ excluded: ['Private'] });
    await vault.data('logTrace', {
      ...entry,
      content: 'Read "Private/Diary.md" again',
      files: ['Private/Diary.md', 'A.md', 'Savepoint/x'],
    });
    expect(await tracesOf(vault)).toMatchObject([
      { input: 'Read "[excluded]" again', files: ['[excluded]', 'A.md', 'Savepoint/x'] },
    ]);
  });

  it('takes effect once per idempotency key, even in another process', async () => {
    const vault = createTestVault();
    const second = createTestVault({ files: vault.files, seed: 2 });
    for (const each of [vault, vault, second])
      expect(await each.call('logTrace', entry, { key: 'k1' })).toMatchObject({
        success: true,
        workspace: 'Default',
      });
    await vault.call('logTrace', entry, { key: 'k2' });
    await vault.call('logTrace', entry);
    await vault.call('logTrace', entry);
    expect((await tracesOf(vault)).map(({ key }) => key)).toEqual([
      undefined,
      undefined,
      'k2',
      'k1',
    ]);
  });

  it('stores the trace in the current workspace', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', garden);
    await vault.data('logTrace', entry);
    await vault.idle();
    const find = (workspaceId: string) =>
      vault.data('searchMemory', { query: 'gasket', workspaceId });
    expect(await find('Garden')).toHaveLength(1);
    expect(await find('default')).toEqual([]);
  });

  it.each(['gasket', 'observation', 'ordered', 'pump.md'])(
    'makes the trace searchable by "%s" immediately',
    async (query) => {
      const vault = createTestVault();
      await vault.data('logTrace', { ...entry, context: { goal: 'Water the beds' } });
      expect(await vault.data('searchMemory', { query, workspaceId: 'default' })).toMatchObject([
        {
          type: 'trace',
          kind: 'observation',
          tool: 'logTrace',
          context: 'Water the beds',
          content: expect.stringMatching(/gasket|Ordered/) as string,
        },
      ]);
    },
  );

  it('stores a trace that survives export and import unchanged', async () => {
    const vault = createTestVault();
    await vault.data('logTrace', entry);
    const { files } = await exportLines((await readLogLines(vault.files, 'Savepoint')).lines);
    const other = createTestVault({ seed: 7 });
    const source = { name: files[0]!.path, bytes: files[0]!.bytes };
    await importLines(other.files, 'Savepoint', [source], {
      mayMerge: false,
      isDryRun: false,
      day: '2026-12-01',
      tag: 'tagtagtag222',
    });
    expect(await tracesOf(other)).toEqual(await tracesOf(vault));
    expect(await tracesOf(other)).toMatchObject([{ kind: 'observation', files: entry.files }]);
  });

  it('is refused on a read-only connection', async () => {
    const vault = createTestVault({
      refuse: ({ access }) => Promise.resolve(access === 'read' ? undefined : 'Read only.'),
    });
    expect(await vault.error('logTrace', entry)).toBe('Read only.');
    expect((await tracesOf(vault)).filter(({ kind }) => kind)).toEqual([]);
  });
});
