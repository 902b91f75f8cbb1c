import { afterEach, describe, expect, it } from 'vitest';
import { inTermsOfSurface, listTools } from '../../src/bridge/mcp-tools.js';
import { adviceFor } from '../../src/toolkit/answer.js';
import { SURFACES } from '../../src/toolkit/surfaces.js';
import { allTools } from '../../src/toolkit/toolkit.js';
import { callOn } from '../fakes/surface-calls.js';
import { createTestVault } from '../fakes/test-vault.js';
import { closeClients, openOn } from './surface-client.js';

afterEach(closeClients);

describe('advice for a caller', () => {
  const phrases = new Map([
    ['listStates', 'state with action "list"'],
    ['loadState', undefined],
  ]);

  it.each([
    [
      'Not found. Use listStates to see more.',
      'Not found. Use state with action "list" to see more.',
    ],
    ['Not found. Use loadState. Try again?', 'Not found. Try again?'],
    [
      'State "use loadState. Or listStates" is gone.',
      'State "use loadState. Or listStates" is gone.',
    ],
    ['A quote " and listStates. Then more.', 'A quote " and state with action "list". Then more.'],
    ['listStatesNow is no tool.', 'listStatesNow is no tool.'],
    ['Use loadState.', ''],
  ])('turns %j into %j', (text, expected) => {
    expect(adviceFor(text, phrases)).toBe(expected);
  });
});

const { toolkit } = createTestVault();
const every = allTools({ toolsets: toolkit.toolsets });
const switches = toolkit.toolsets.flatMap(({ switchName }) => switchName ?? []);

/** What a client can call: tool names, or a tool with an action. */
function callable(surface: (typeof SURFACES)[number], enabled: readonly string[]): string {
  const listed = listTools(toolkit, surface, enabled);
  const behind = allTools(toolkit, enabled).map(({ tool }) => tool.name);
  return JSON.stringify(surface === 'actions' ? listed : [listed, behind]);
}

describe.each(SURFACES)('on the surface %s', (surface) => {
  it.each([[[]], ...switches.map((name) => [[name]]), [switches]])(
    'no failure names a tool that a client with %j cannot call',
    (enabled: string[]) => {
      const texts = allTools(toolkit, enabled).flatMap(({ tool }) =>
        Object.values(tool.failures).map(({ error, advice }) => `${error} ${advice}`),
      );
      let named = 0;
      for (const text of texts) {
        const answer = inTermsOfSurface({ success: false, error: text }, toolkit, surface, enabled);
        const shown = (answer.success ? '' : (answer.error ?? '')).replace(/"[^"]*"/gu, '""');
        for (const { tool } of every) {
          if (!/[A-Z]/u.test(tool.name) || !new RegExp(`\\b${tool.name}\\b`, 'u').test(shown))
            continue;
          named++;
          const isCallable = callable(surface, enabled).includes(`"${tool.name}"`);
          expect(isCallable, `${tool.name} in: ${text}`).toBe(true);
        }
      }
      if (surface !== 'actions') expect(named).toBeGreaterThan(10);
    },
  );

  it('what an error suggests can be called as it says', async () => {
    const { client } = await openOn(surface);
    const failing = [
      callOn(surface, 'loadState', { name: 'None' }),
      callOn(surface, 'loadWorkspace', { name: 'None' }),
    ];
    for (const call of failing) {
      const { error } = (await client.callTool(call)).structuredContent as { error: string };
      const [, tool = '', rest = ''] = /Use (\w+)(.*?) to see/u.exec(error) ?? [];
      const [, action] = /^ with action "(\w+)"$/u.exec(rest) ?? [];
      const [, inner, agent] = /^ with (\w+) of (\w+)$/u.exec(rest) ?? [];
      const params = inner
        ? { calls: [{ agent, tool: inner, params: {} }] }
        : { ...(action && { action }) };
      expect(
        (await client.callTool({ name: tool, arguments: params })).structuredContent,
      ).toMatchObject({
        success: true,
      });
    }
  });
});
