import { describe, expect, it } from 'vitest';
import type { ClientPolicy } from '../../../../src/model/settings/permissions.js';
import { Approvals } from '../../../../src/obsidian/clients/approvals/approvals.js';
import { createStore } from '../../../../src/obsidian/store.js';
import { allTools, type PendingCall } from '../../../../src/toolkit/toolkit.js';
import { createTestClock } from '../../../fakes/deterministic.js';
import { createTestVault, stateNamed } from '../../../fakes/test-vault.js';

const asking: ClientPolicy = {
  isReadOnly: false,
  otherClients: 'ask',
  writingClients: [],
  askingClients: [],
  readOnlyClients: [],
};
const toolNamed = (name: string) =>
  allTools(createTestVault().toolkit).find(({ tool }) => tool.name === name)!.tool;
const saving = toolNamed('createState');

function open(policy = asking) {
  const clock = createTestClock();
  const policies = createStore(policy);
  const approvals = new Approvals(clock, policies);
  const workspace = { id: 'w1', name: 'Garden' } as PendingCall['workspace'];
  const ask = (more: Partial<PendingCall> & { client?: string; tool?: typeof saving } = {}) => {
    const { client = 'Claude', tool = saving, ...rest } = more;
    const call = {
      params: stateNamed('Plan') as PendingCall['params'],
      workspace,
      sessionId: 's1',
      key: undefined,
      signal: undefined,
    };
    return approvals.refuse(tool, client, { ...call, ...rest });
  };
  const waiting = () => approvals.questions.get().map(({ id }) => id);
  const answer = (decision: Parameters<Approvals['answer']>[1], at = 0) =>
    approvals.answer(waiting()[at]!, decision);
  return { approvals, policies, clock, ask, waiting, answer };
}

describe('a call under the "ask" policy', () => {
  it('asks with its parameters and proceeds when allowed once', async () => {
    const { approvals, ask, answer, waiting } = open();
    const asked = ask();
    expect(approvals.questions.get()).toMatchObject([
      {
        client: 'Claude',
        workspaceName: 'Garden',
        params: { name: 'Plan' },
        tool: { name: 'createState', title: 'Save state', access: 'write' },
      },
    ]);
    answer('once');
    expect(await asked).toBeUndefined();
    expect(waiting()).toEqual([]);
    void ask();
    expect(waiting()).toHaveLength(1); // "once" covers a single call
  });

  it('is refused with a reason if the user denies it or does not answer', async () => {
    const { ask, answer, clock, waiting } = open();
    const refused = ask();
    answer('deny');
    expect(await refused).toContain('did not allow this call. Nothing was written.');
    const late = ask();
    clock.advance(39_999);
    expect(waiting()).toHaveLength(1);
    clock.advance(1);
    expect(await late).toContain('did not answer within 40 seconds. Nothing was written.');
    expect(waiting()).toEqual([]);
  });

  it('proceeds without asking in an allowed session of the same client', async () => {
    const { ask, answer, waiting } = open();
    const both = Promise.all([ask(), ask({ params: { name: 'Other' } })]);
    answer('session');
    expect(await both).toEqual([undefined, undefined]);
    expect(await ask()).toBeUndefined();
    void ask({ sessionId: 's2' });
    void ask({ client: 'Codex' });
    expect(waiting()).toHaveLength(2);
  });

  it('needs no approval if it only reads or only wraps other calls', async () => {
    const { ask } = open();
    expect(await ask({ tool: toolNamed('listStates') })).toBeUndefined();
    expect(await ask({ tool: toolNamed('useTools') })).toBeUndefined();
  });

  it('shares its question and answer with repeated calls of the same key', async () => {
    const { ask, answer, waiting } = open();
    const both = Promise.all([ask({ key: 'k' }), ask({ key: 'k' })]);
    expect(waiting()).toHaveLength(1);
    answer('deny');
    const [one, other] = await both;
    expect(one).toContain('did not allow');
    expect(other).toBe(one);
    expect(await ask({ key: 'k' })).toBe(one);
    void ask({ key: 'k', params: { name: 'Something else' } });
    // Different parameters are a new question, even with an old key.
    expect(waiting()).toHaveLength(1);
  });

  it('withdraws its question when all of its callers have cancelled', async () => {
    const { ask, waiting } = open();
    const [first, second] = [new AbortController(), new AbortController()];
    const both = Promise.all([
      ask({ key: 'k', signal: first.signal }),
      ask({ key: 'k', signal: second.signal }),
    ]);
    first.abort();
    expect(waiting()).toHaveLength(1);
    second.abort();
    expect(await both).toEqual(
      Array(2).fill('The call was cancelled before the user approved it. Nothing was written.'),
    );
    expect(waiting()).toEqual([]);
    expect(await ask({ signal: first.signal })).toContain('cancelled');
  });

  it('follows changes of the settings while it waits', async () => {
    const { ask, policies, waiting } = open();
    const [allowed, kept] = [ask({ client: 'Claude' }), ask({ client: 'Codex' })];
    policies.set({ ...asking, writingClients: ['Claude'] });
    expect(await allowed).toBeUndefined();
    expect(waiting()).toHaveLength(1);
    policies.set({ ...asking, isReadOnly: true });
    expect(await kept).toContain('AI apps may only read this memory.');
  });

  it('is refused when the plugin is unloaded, and afterwards', async () => {
    const { approvals, ask } = open();
    const asked = ask();
    approvals.close();
    expect(await asked).toContain('Obsidian was closed');
    expect(await ask()).toContain('Obsidian was closed');
  });

  it('is refused while 100 other calls are waiting', async () => {
    const { ask, waiting } = open();
    for (let count = 0; count < 100; count++) void ask({ params: { name: `S${count}` } });
    expect(await ask({ params: { name: 'One more' } })).toContain('Too many calls are waiting');
    expect(waiting()).toHaveLength(100);
  });

  it('ignores an answer to an expired question', async () => {
    const { approvals, ask, waiting, clock } = open();
    const asked = ask();
    const [id] = waiting();
    clock.advance(40_000);
    approvals.answer(id!, 'session');
    expect(await asked).toContain('did not answer');
    void ask();
    expect(waiting()).toHaveLength(1);
  });
});
