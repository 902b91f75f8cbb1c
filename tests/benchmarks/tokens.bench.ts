import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { tokensOf } from '../../scripts/surface-costs.mjs';
import { inFolder, stateParams, type Figure } from './lib.js';
import {
  entityOf,
  knowledgeGraphCommand,
  ourCommand,
  serverMemoryCommand,
  withServer,
  type Command,
  type Connected,
} from './peers.js';

export const question =
  'How many tokens (o200k) does a model pay for the tools, and for "save a state" in one conversation and "find it, resume it" in the next?';
export const measures = ['src'];

/** Number of other states in the memory. */
const OTHERS = 20;
/** Number of other states that contain the search word. */
const WITH_THE_WORD = 5;
/** Bound on the tokens of finding a state. */
const MAX_FINDING = 250;
/** Tokens of both conversations without the lists of tools, which have budgets of their own. */
const MAX_WITHOUT_LISTS: Readonly<Record<string, number>> = {
  'full surface': 644,
  'actions surface': 650,
  'compact surface': 1242,
};
const WORD = 'expiration';
const NAME = 'Auth Module Progress';
const TASK = 'Implementing token refresh logic';
const STEPS = ['Add refresh token endpoint', `Test token ${WORD}`, 'Add logout flow'];

interface Request {
  readonly tool: string;
  readonly params: Record<string, unknown>;
}

interface Contender {
  readonly name: string;
  readonly command: (folder: string) => Command;
  readonly save: (state: Record<string, unknown>) => Request;
  readonly find: (word: string) => Request;
  readonly resume: (name: string) => Request;
  /**
   * Returns the call that a model must make first if the list alone does not say how to call the
   * tools.
   */
  readonly learn?: (tools: readonly string[]) => Request;
}

const ours = {
  save: (params: Record<string, unknown>) => ({ tool: 'createState', params }),
  find: (query: string) => ({
    tool: 'searchMemory',
    params: { query, workspaceId: 'default', memoryTypes: ['states'] },
  }),
  resume: (name: string) => ({ tool: 'loadState', params: { name } }),
};

const throughUseTools = ({ tool, params }: Request): Request => {
  const agent = tool === 'searchMemory' ? 'searchManager' : 'memoryManager';
  return { tool: 'useTools', params: { calls: [{ agent, tool, params }] } };
};

const graph = {
  save: (state: Record<string, unknown>) => ({
    tool: 'create_entities',
    params: { entities: [entityOf(state)] },
  }),
  find: (query: string) => ({ tool: 'search_nodes', params: { query } }),
  resume: (name: string) => ({ tool: 'open_nodes', params: { names: [name] } }),
};

const asAction = ({ tool, params }: Request): Request => {
  if (tool === 'searchMemory')
    return { tool: 'search', params: { action: 'search', resource: 'memory', ...params } };
  return {
    tool: 'state',
    params: { action: tool === 'createState' ? 'create' : 'load', ...params },
  };
};

const CONTENDERS: readonly Contender[] = [
  { name: 'full surface', command: (folder) => ourCommand(folder), ...ours },
  {
    name: 'actions surface',
    command: (folder) => ourCommand(folder, '--surface', 'actions', '--toolsets', 'none'),
    save: (state) => asAction(ours.save(state)),
    find: (word) => asAction(ours.find(word)),
    resume: (name) => asAction(ours.resume(name)),
  },
  {
    name: 'compact surface',
    command: (folder) => ourCommand(folder, '--surface', 'compact'),
    save: (state) => throughUseTools(ours.save(state)),
    find: (word) => throughUseTools(ours.find(word)),
    resume: (name) => throughUseTools(ours.resume(name)),
    learn: (tools) => ({ tool: 'getTools', params: { tools } }),
  },
  { name: 'server-memory', command: serverMemoryCommand, ...graph },
  { name: 'mcp-knowledge-graph', command: knowledgeGraphCommand, ...graph },
];

export async function answer(): Promise<Figure[]> {
  const figures: Figure[] = [];
  const totals = new Map<string, number>();
  for (const contender of CONTENDERS) {
    const { tools, learning, saving, finding, resuming } = await measure(contender);
    // each conversation lists the tools
    const total = tools + saving + tools + learning + finding + resuming;
    totals.set(contender.name, total);
    const { name } = contender;
    const isOurs = name.endsWith('surface');
    figures.push(
      { what: `${name}: tools/list`, value: tools, unit: ' tokens' },
      ...(learning > 0
        ? [{ what: `${name}: asking how to call the three`, value: learning, unit: ' tokens' }]
        : []),
      { what: `${name}: save a state, call and answer`, value: saving, unit: ' tokens' },
      {
        what: `${name}: find it, call and answer`,
        value: finding,
        unit: ' tokens',
        ...(isOurs && { limit: MAX_FINDING }),
      },
      { what: `${name}: resume it, call and answer`, value: resuming, unit: ' tokens' },
      {
        what: `save, find and resume in two conversations, tools included: ${name}`,
        value: total,
        unit: ' tokens',
        isHighlighted: true,
      },
      {
        what: `both conversations without the lists of tools: ${name}`,
        value: learning + saving + finding + resuming,
        unit: ' tokens',
        ...(name in MAX_WITHOUT_LISTS && { limit: MAX_WITHOUT_LISTS[name] }),
      },
    );
  }
  const relative = (name: string) =>
    (totals.get(name) ?? NaN) / (totals.get('server-memory') ?? NaN);
  return [
    ...figures,
    ...['full surface', 'actions surface', 'compact surface'].map((name) => ({
      what: `both conversations, ${name} relative to server-memory`,
      value: relative(name),
      ...(name !== 'full surface' && { limit: 1 }),
    })),
  ];
}

function measure({ command, save, find, resume, learn }: Contender) {
  return inFolder(async (folder) => {
    await fs.mkdir(path.join(folder, 'vault'));
    return withServer(command(folder), async (server) => {
      for (let at = 0; at < OTHERS; at++) await ask(server, save(otherState(at)));
      let learning = 0;
      if (learn)
        for (const tools of [['createState'], ['searchMemory', 'loadState']])
          learning += (await ask(server, learn(tools))).tokens;
      const saving = (
        await ask(server, save({ ...stateParams(NAME), activeTask: TASK, nextSteps: STEPS }))
      ).tokens;
      const found = await ask(server, find(WORD));
      const resumed = await ask(server, resume(NAME));
      if (!found.text.includes(NAME) || !resumed.text.includes(TASK))
        throw new Error(`"${NAME}" was not found`);
      return {
        tools: tokensOf((await server.client.listTools()).tools),
        learning,
        saving,
        finding: found.tokens,
        resuming: resumed.tokens,
      };
    });
  });
}

function otherState(at: number): Record<string, unknown> {
  const isNear = at % (OTHERS / WITH_THE_WORD) === 0;
  return {
    ...stateParams(`Earlier work ${at}`),
    nextSteps: ['Read the review', isNear ? `Note the ${WORD} of keys` : 'Write the summary'],
  };
}

async function ask(
  { call }: Connected,
  { tool, params }: Request,
): Promise<{ tokens: number; text: string }> {
  const text = await call(tool, params);
  return {
    tokens: encode(JSON.stringify({ name: tool, arguments: params })).length + encode(text).length,
    text,
  };
}
