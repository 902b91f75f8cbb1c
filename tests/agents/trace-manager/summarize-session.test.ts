import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTestVault, stateNamed, type TestVault } from '../../fakes/test-vault.js';

interface Draft {
  name: string;
  conversationContext: string;
  activeTask: string;
  activeFiles: string[];
  nextSteps: string[];
}

async function call(vault: TestVault, tool: string, params: Record<string, unknown>) {
  vault.clock.advance(60_000);
  await vault.call(tool, params, { session: 'monday' });
  await vault.idle();
}

const draft = async (vault: TestVault) =>
  (await vault.data('summarizeSession', { session: 'monday' }, { session: 'reader' })) as Draft;

describe('summarizeSession', () => {
  it('drafts a state from what the session recorded, saved and failed to do', async () => {
    const vault = createTestVault();
    await call(vault, 'logTrace', {
      kind: 'quality_gate',
      content: 'Spelling',
      outcome: 'passed',
      files: ['One.md'],
      context: { goal: 'Revise chapter one' },
    });
    await call(
      vault,
      'createState',
      stateNamed('Chapter one', {
        activeFiles: ['Two.md', 'One.md'],
        nextSteps: ['Read it aloud'],
      }),
    );
    await call(vault, 'loadState', {
      name: 'Chapter nine',
      context: {
        goal: 'Revise chapter two',
        memory: 'Chapter one is done.',
        constraints: 'British spelling',
      },
    });
    expect(await draft(vault)).toEqual({
      name: 'Session of 2026-11-20 09:01',
      description: '3 calls, 1 failed, 1 state saved',
      activeTask: 'Revise chapter two',
      activeFiles: ['One.md', 'Two.md'],
      nextSteps: [
        'Resolve the failure of loadState: State "Chapter nine" not found. Use listStates to see available states. Did you mean "Chapter one"?',
        'Read it aloud',
      ],
      conversationContext:
        `Drafted from the calls of session monday. The app worked from 2026-11-20 09:01 to 2026-11-20 09:03 UTC: 3 calls, 1 failed, 1 state saved.

What happened so far: Chapter one is done.

Constraints: British spelling

Recorded:
- quality gate: Spelling (passed)

Failed:
- loadState: State "Chapter nine" not found. Use listStates to see available states. Did you mean "Chapter one"?

Saved:
- Chapter one`.replace('The app', 'Test'),
    });
  });

  it('omits a failure of a tool that succeeded later', async () => {
    const vault = createTestVault();
    await call(vault, 'loadState', { name: 'Chapter one' });
    await call(vault, 'createState', stateNamed('Chapter one'));
    await call(vault, 'loadState', { name: 'Chapter one' });
    expect((await draft(vault)).nextSteps).toEqual(['Go on']);
  });

  it('has the task of the last state, or the last record, if no call names a goal', async () => {
    const vault = createTestVault();
    await call(vault, 'listStates', {});
    expect((await draft(vault)).activeTask).toBe(
      'Not recorded: no call of this session names its goal.',
    );
    await call(vault, 'logTrace', { kind: 'observation', content: 'The pump leaks' });
    expect((await draft(vault)).activeTask).toBe('The pump leaks');
    await call(vault, 'createState', stateNamed('Chapter one', { activeTask: 'Fix the pump' }));
    expect((await draft(vault)).activeTask).toBe('Fix the pump');
  });

  it('never has a name that is taken', async () => {
    const vault = createTestVault();
    await call(vault, 'listStates', {});
    await vault.data('createState', stateNamed('session of 2026-11-20 09:01'));
    expect((await draft(vault)).name).toBe('Session of 2026-11-20 09:01 (2)');
  });

  it('refuses a session without calls', async () => {
    expect(await createTestVault().error('summarizeSession', { session: 'x' })).toBe(
      'Session "x" has made no calls in this workspace. Use listSessions to see the sessions.',
    );
  });

  it('returns parameters that createState accepts, and the same ones each time', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }).map((t) => `x${t}`);
    const step = fc.oneof(
      fc.record({
        tool: fc.constant('logTrace'),
        params: fc.record({ kind: fc.constantFrom('observation', 'execution'), content: text }),
      }),
      fc.record({
        tool: fc.constant('createState'),
        params: text.map((name) => stateNamed(`State ${name.length}`, { nextSteps: [name] })),
      }),
      fc.record({ tool: fc.constant('loadState'), params: fc.record({ name: text }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const vault = createTestVault();
        for (const { tool, params } of steps) await call(vault, tool, params);
        const drafted = await draft(vault);
        expect(await draft(vault)).toEqual(drafted);
        expect(await vault.call('createState', drafted)).toMatchObject({ success: true });
      }),
      { numRuns: 40 },
    );
  });
});
