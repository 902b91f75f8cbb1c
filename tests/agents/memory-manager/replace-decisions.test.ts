import { describe, expect, it } from 'vitest';
import { createTestVault, stateNamed, type TestVault } from '../../fakes/test-vault.js';

interface Named {
  readonly data: { readonly mayReplace: { id: string; title: string; by: string }[] };
  readonly call: { readonly tool: string; readonly params: Record<string, unknown> };
}

const decide = (vault: TestVault, name: string, decision: string, more: object = {}) =>
  vault.call('createState', stateNamed(name, { decisions: [decision], ...more }));

const decisionsOf = async (vault: TestVault, name: string) =>
  ((await vault.data('loadState', { name })) as { decisions: string[] }).decisions;

describe('replacing decisions', () => {
  it('takes one step in the save', async () => {
    const vault = createTestVault();
    await decide(vault, 'Plan', 'Use session cookies');
    const answer = await decide(vault, 'Plan 2', 'Sign tokens with RSA', {
      replaces: ['use session cookies'],
    });
    expect(answer).toEqual({ success: true, workspace: 'Default' });
    expect(await decisionsOf(vault, 'Plan')).toEqual([
      'Use session cookies [superseded by "Sign tokens with RSA" on 2026-11-20]',
    ]);
  });

  it('is not suggested for what the save has replaced', async () => {
    const vault = createTestVault();
    await decide(vault, 'Plan', 'Retry five times');
    const answer = await decide(vault, 'Plan 2', 'Retry three times', {
      replaces: ['Retry five times'],
    });
    expect(answer).not.toHaveProperty('data');
    expect(answer).not.toHaveProperty('call');
  });

  it('takes the new decision that is nearest', async () => {
    const vault = createTestVault();
    await decide(vault, 'Plan', 'Retry five times');
    const decisions = ['Ship on Friday', 'Retry three times'];
    await vault.data(
      'createState',
      stateNamed('Plan 2', { decisions, replaces: ['Retry five times'] }),
    );
    expect(await decisionsOf(vault, 'Plan')).toEqual([
      'Retry five times [superseded by "Retry three times" on 2026-11-20]',
    ]);
  });

  it('works for a record, too', async () => {
    const vault = createTestVault();
    const decision = (title: string, more: object = {}) =>
      vault.data('createRecord', { resource: 'decision', title, ...more });
    await decision('Use session cookies');
    await decision('Sign tokens with RSA', { replaces: ['Use session cookies'] });
    expect(await vault.data('listRecords', { resource: 'decision' })).toMatchObject([
      { title: 'Sign tokens with RSA' },
    ]);
  });

  it('saves nothing if there is no such decision, or none that holds instead', async () => {
    const vault = createTestVault();
    expect(
      await vault.error(
        'createState',
        stateNamed('Plan', { decisions: ['Use JWT'], replaces: ['Use cookies'] }),
      ),
    ).toBe('Record "Use cookies" not found. Use listRecords to see the records of this workspace.');
    await decide(vault, 'Plan', 'Use cookies');
    expect(
      await vault.error('createState', stateNamed('Plan 2', { replaces: ['Use cookies'] })),
    ).toBe('"replaces" needs a decision that holds instead. Pass it in decisions.');
    expect(await vault.data('listStates')).toHaveLength(1);
  });

  it.each([
    'Use "real" cookies for sign-in',
    'Die Gäste zahlen 40 Euro für das Büfett',
    '会费每年九十六欧元',
  ])('is suggested with a call that marks "%s" and can be undone', async (title) => {
    const vault = createTestVault();
    await decide(vault, 'Plan', `${title} ${'x'.repeat(260)}`);
    const { data, call } = (await decide(vault, 'Plan 2', `${title}!`)) as unknown as Named;
    const [{ id = '', by = '' } = {}] = data.mayReplace;
    expect(call).toEqual({
      tool: 'replaceDecisions',
      params: { replaces: [id], by, context: { workspaceId: 'Default' } },
    });
    await vault.data(call.tool, call.params);
    expect((await decisionsOf(vault, 'Plan'))[0]).toContain(` [superseded by "${title}!" on`);
    await vault.data(call.tool, { ...call.params, by: '' });
    expect((await decisionsOf(vault, 'Plan'))[0]).not.toContain('[superseded');
  });
});
