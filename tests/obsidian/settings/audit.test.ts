import { describe, expect, test } from 'vitest';
import type { Trace } from '../../../src/model/trace.js';
import { callsToCsv, callsToNote, readClientCalls } from '../../../src/obsidian/settings/audit.js';
import { createTestVault, garden, stateNamed } from '../../fakes/test-vault.js';
import { NOOP_SCHEDULER } from '../../../src/platform/scheduler.js';

const call: Trace = {
  workspaceId: 'w1',
  sessionId: 's1',
  client: 'Claude',
  toolset: 'memoryManager',
  tool: 'createState',
  input: '{}',
  outcome: 'ok',
  isSuccess: true,
  createdAt: '2026-01-02T03:04:05.000Z',
};
const nameOf = () => 'Garden';

describe('the audit of client calls', () => {
  test('lists calls in every workspace, newest first, including refused ones', async () => {
    const vault = createTestVault({
      refuse: (tool) => Promise.resolve(tool.name === 'archiveState' ? 'Not now.' : undefined),
    });
    const from = (client: string | undefined, tool: string, params: unknown) =>
      vault.call(tool, params, { defaults: { sessionId: 'session', client } });
    await from('Claude', 'createWorkspace', garden);
    await from(undefined, 'createState', stateNamed('Own'));
    await from('Codex', 'createState', stateNamed('Plan', { workspaceId: 'Garden' }));
    await from('Codex', 'archiveState', { name: 'Plan' });
    await vault.idle();
    const read = (most: number, lookBack = Infinity) =>
      readClientCalls(vault.log, { most, lookBack }, NOOP_SCHEDULER);
    const lines = (calls: readonly Trace[]) =>
      calls.map(({ client, tool, outcome }) => [client, tool, outcome]);
    expect(lines(await read(10))).toEqual([
      ['Codex', 'archiveState', 'Not now.'],
      ['Codex', 'createState', expect.any(String)],
      ['Claude', 'createWorkspace', 'ok'],
    ]);
    expect(lines(await read(1))).toEqual([['Codex', 'archiveState', 'Not now.']]);
    expect(lines(await read(10, 3))).toHaveLength(2);
  });

  test('exports CSV without formulas and with escaped quotes', () => {
    const hostile = {
      ...call,
      client: '=HYPERLINK("http://x")',
      outcome: 'a "b"\nc',
      input: '{"a":1}',
    };
    expect(callsToCsv([hostile], nameOf).split('\r\n')).toEqual([
      '"When","App","Workspace","Session","Tool","Outcome","Parameters"',
      '"2026-01-02T03:04:05.000Z","\'=HYPERLINK(""http://x"")","Garden","s1","createState","a ""b""\nc","{""a"":1}"',
      '',
    ]);
  });

  test('exports a note with one escaped table row per call', () => {
    const hostile = {
      ...call,
      client: '<img src=x onerror=alert(1)> | [[Note]]',
      outcome: 'one\ntwo',
    };
    const lines = callsToNote([hostile], nameOf).split('\n');
    expect(lines).toHaveLength(6);
    expect(lines[4]).toContain('\\<img src\\=x onerror\\=alert(1)\\> \\| \\[\\[Note\\]\\]');
    expect(lines[4]).toContain('| one two |');
  });
});
