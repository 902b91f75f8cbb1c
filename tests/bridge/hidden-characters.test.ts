import { afterEach, describe, expect, it } from 'vitest';
import type { Json } from '../../src/model/event.js';
import { findHiddenCharacter } from '../../src/model/text/visible-text.js';
import type { Log } from '../../src/storage/vault-log.js';
import { callTool } from '../../src/toolkit/call-tool.js';
import { SURFACES } from '../../src/toolkit/surfaces.js';
import { allTools } from '../../src/toolkit/toolkit.js';
import { createTestVault, stateNamed, type TestVault } from '../fakes/test-vault.js';
import { closeClients, openOn } from './surface-client.js';

afterEach(closeClients);

/** Tags that spell "HI", bidirectional controls, zero-width characters. */
const HIDDEN = '\u{E0048}\u{E0049}\u202e\u2066\u200b\ufeff';

/** Fields of events whose values are ids or words of the format. */
const OF_THE_FORMAT = new Set(['ws', 'state', 'phase', 'kind', 'status', 'sha', 'id', 'session']);

type Draft = Parameters<Log['writeTrace']>[0];

function poison(value: Json, key = ''): Json {
  if (OF_THE_FORMAT.has(key)) return value;
  if (typeof value === 'string') return `${value}${HIDDEN}`;
  if (Array.isArray(value)) return value.map((item) => poison(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, poison(item, name)]),
  );
}

function poisoned(draft: Draft): Draft {
  const isCreation = draft.t.endsWith('.new');
  return isCreation ? { ...draft, d: poison(draft.d) as Draft['d'] } : draft;
}

/** Makes the log write hidden characters in every text, as another program could. */
function poisonLog({ log }: TestVault): void {
  const [write, writeTrace] = [log.write.bind(log), log.writeTrace.bind(log)];
  log.write = (decide, call) =>
    write((...args) => {
      const decision = decide(...args);
      return { ...decision, drafts: decision.drafts.map(poisoned) };
    }, call);
  log.writeTrace = (draft) => writeTrace(poisoned(draft));
}

/** Returns the hidden characters in the texts and keys of a value. */
function hiddenIn(value: unknown): string[] {
  if (typeof value === 'string') return [findHiddenCharacter(value) ?? []].flat();
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap((entry) => entry.flatMap(hiddenIn));
}

/** Returns a vault whose notes and memory contain hidden characters everywhere. */
async function fill(vault: TestVault): Promise<void> {
  poisonLog(vault);
  vault.files.put(`Garden/Beds${HIDDEN}.md`, `# Beds${HIDDEN}\nTomatoes${HIDDEN} #a${HIDDEN}\n`);
  await vault.data('createWorkspace', {
    name: 'Garden',
    description: 'Tomatoes',
    purpose: 'Tomatoes',
    rootFolder: 'Garden',
    workflows: ['Water'],
    keyFiles: ['Garden/Beds.md'],
  });
  const fields = { activeFiles: [`Garden/Beds${HIDDEN}.md`], decisions: ['Red'], tags: ['t'] };
  const questions = ['Which?'];
  await vault.data('createState', stateNamed('Tomatoes', { ...fields, questions }));
  await vault.call('createRecord', { resource: 'issue', title: 'Tomatoes', body: 'Tomatoes' });
  await vault.call('logTrace', { kind: 'observation', content: 'Tomatoes', outcome: 'Tomatoes' });
  await vault.idle();
}

describe('hidden characters', () => {
  const tools = allTools(createTestVault().toolkit);
  let answers = 0;

  it.each(tools.flatMap(({ tool }) => tool.examples.map((each) => ({ ...each, tool: tool.name }))))(
    '$tool answers without them: $title',
    async ({ tool, notes = {}, before = [], params }) => {
      const vault = createTestVault();
      poisonLog(vault);
      for (const [path, text] of Object.entries(notes))
        vault.files.put(path, text.replace(/(?<=\w)$/gmu, HIDDEN));
      for (const each of before) await vault.call(each.tool, each.params);
      await vault.idle();
      const found = [await vault.call(tool, params), await vault.call(tool, poison(params))];
      answers += found.filter(({ success }) => success).length;
      expect(found.flatMap(hiddenIn)).toEqual([]);
    },
  );

  it('were answered with data by most tools', () => {
    expect(answers).toBeGreaterThan(tools.length);
  });

  it.each([
    ['timeline', {}],
    ['searchMemory', { query: 'tomatoes' }],
    ['searchContent', { query: 'tomatoes' }],
    ['searchDirectory', { query: 'beds' }],
    ['readContent', { path: `Garden/Beds${HIDDEN}.md` }],
    ['listStates', {}],
    ['loadState', { name: 'Tomatoes' }],
    ['listWorkspaces', {}],
    ['loadWorkspace', { name: 'Garden' }],
    ['listRecords', { resource: 'issue' }],
    ['listSessions', {}],
    ['brief', {}],
    ['validateWorkspace', {}],
  ])('are in the memory that %s answers about', async (tool, params) => {
    const vault = createTestVault();
    await fill(vault);
    const answer = await callTool(vault.toolkit, {
      tool,
      params,
      defaults: { sessionId: 'session' },
    });
    expect(JSON.stringify(answer)).toMatch(/⟨U\+(?:E0048|202E)⟩/u);
    expect(hiddenIn(answer)).toEqual([]);
  });

  it.each(SURFACES)(
    'are in no answer, list, resource, prompt or error of the surface %s',
    async (surface) => {
      const texts = { vaultName: `V${HIDDEN}`, state: `S${HIDDEN}`, brief: `B${HIDDEN}` };
      const { vault, client } = await openOn(surface, texts);
      await fill(vault);
      const errors: string[] = [];
      const received: unknown[] = [
        client.getInstructions(),
        client.getServerVersion(),
        await client.listTools(),
        await client.listPrompts(),
        await client.listResourceTemplates(),
        await client.callTool({
          name: `listStates${HIDDEN}`,
          arguments: { [`x${HIDDEN}`]: HIDDEN },
        }),
      ];
      const { resources } = await client.listResources();
      expect(resources.length).toBeGreaterThan(2);
      received.push(resources);
      for (const { uri } of resources) received.push(await client.readResource({ uri }));
      for (const name of ['brief', 'resume', 'save-state'])
        received.push(
          await client.getPrompt({ name, arguments: { workspace: `Garden${HIDDEN}` } }),
        );
      const ref = { type: 'ref/prompt' as const, name: 'resume' };
      for (const name of ['workspace', 'state'])
        received.push(
          await client.complete({
            ref,
            argument: { name, value: '' },
            context: { arguments: { workspace: `Garden${HIDDEN}` } },
          }),
        );
      const refused = [
        client.readResource({ uri: `savepoint://workspace/${encodeURIComponent(`No${HIDDEN}`)}` }),
        client.readResource({ uri: `x:${HIDDEN}` }),
        client.getPrompt({ name: `no${HIDDEN}` }),
        client.getPrompt({ name: 'resume', arguments: { workspace: `No${HIDDEN}` } }),
        client.listResources({ cursor: HIDDEN }),
      ];
      for (const each of await Promise.allSettled(refused))
        errors.push(each.status === 'rejected' ? String(each.reason) : 'accepted');
      expect(errors).not.toContain('accepted');
      expect(hiddenIn([received, errors])).toEqual([]);
      expect(JSON.stringify(received)).toContain('⟨U+202E⟩');
    },
  );
});
