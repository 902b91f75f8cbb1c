import { afterEach, describe, expect, it } from 'vitest';
import { SURFACES } from '../../src/toolkit/surfaces.js';
import { callOn } from '../fakes/surface-calls.js';
import { stateNamed } from '../fakes/test-vault.js';
import { closeClients, openOn } from './surface-client.js';

afterEach(closeClients);

interface Suggestion {
  readonly data: { readonly mayReplace: { readonly id: string; readonly by: string }[] };
  readonly call: { readonly name: string; readonly arguments: Record<string, unknown> };
}

const TITLES = [
  'Use "real" session cookies for sign-in',
  `The harbour office pays for the buoys ${'x'.repeat(300)}`,
  'Die Gäste zahlen vierzig Euro für das Büfett',
  '会費は年間九十六ユーロとする',
];

describe.each(SURFACES)('a suggested call on the surface %s', (surface) => {
  it.each(TITLES)('marks "%s" as printed, and undoes it', async (title) => {
    const { client, vault } = await openOn(surface);
    const save = async (name: string, decision: string) => {
      const { name: tool, arguments: input } = callOn(surface, 'createState', {
        ...stateNamed(name, { decisions: [decision] }),
        context: { workspaceId: 'default' },
      });
      const answer = await client.callTool({ name: tool, arguments: input });
      return answer.structuredContent as Suggestion;
    };
    const decisions = async () =>
      ((await vault.data('loadState', { name: 'Plan' })) as { decisions: string[] }).decisions[0];
    await save('Plan', title);
    const { data, call } = await save('Plan 2', `${title}, for now`);
    expect(data.mayReplace).toHaveLength(1);
    const printed = JSON.parse(JSON.stringify(call)) as Suggestion['call'];
    const marked = await client.callTool({ name: printed.name, arguments: printed.arguments });
    expect(marked.structuredContent).toMatchObject({ success: true });
    expect(await decisions()).toContain('[superseded by');
    const by = data.mayReplace[0]?.by ?? '';
    const undo = JSON.parse(JSON.stringify(call).replace(`"by":"${by}"`, '"by":""')) as typeof call;
    await client.callTool({ name: undo.name, arguments: undo.arguments });
    expect(await decisions()).toBe(title);
  });
});
