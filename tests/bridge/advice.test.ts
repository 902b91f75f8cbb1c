import { afterEach, describe, expect, it } from 'vitest';
import { howToCall, inTermsOfSurface, listTools } from '../../src/bridge/mcp-tools.js';
import { adviceFor } from '../../src/toolkit/answer.js';
import { contextInput } from '../../src/toolkit/context.js';
import { inputSchema } from '../../src/toolkit/schema.js';
import { SURFACES, type Surface } from '../../src/toolkit/surfaces.js';
import { allTools, toolPhrases } from '../../src/toolkit/toolkit.js';
import { answerOf } from '../fakes/answer-of.js';
import { sourceTexts } from '../fakes/source-texts.js';
import { callOn } from '../fakes/surface-calls.js';
import { createTestVault } from '../fakes/test-vault.js';
import { closeClients, openOn } from './surface-client.js';
import { someOf } from '../tier.js';

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
const toolNames = new Set(every.map(({ tool }) => tool.name).filter((name) => /[A-Z]/u.test(name)));
const WORDS = /"[^"]*"|\b[a-z]+[A-Z]\w*/gu;

/** Returns the words of a text that are written like a tool or parameter, without quoted ones. */
function namesIn(text: string): string[] {
  return (text.match(WORDS) ?? []).filter((word) => !word.startsWith('"'));
}

/** What makes a text an error or a notice, in which tools are named as the surface calls them. */
const IN_ANSWERS =
  /^(?:error|advice|notice|addNotice|Refusal|failureError|push|TIMED_OUT|CLOSED|IN_DEFAULT|\w+Notice|\w*[tT]ext|validatedText|earlierWork)$/;

/** Other texts that name tools, and why they are true. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  description: 'of a tool, which is listed with the tools that it names, or names its parameters',
  describe: 'of a field in a schema, which only the surface "full" lists',
  instructionsFor: 'the surfaces without these names add how to call them',
  instructions: 'by surface',
  throughUseTools: 'a phrase of a surface',
};

const texts = sourceTexts(['agents', 'toolkit', 'bridge', 'brief', 'model', 'indexing']);
const naming = texts.filter(({ text }) => namesIn(text).some((name) => toolNames.has(name)));
const answerTexts = texts.filter(({ within }) => within.some((name) => IN_ANSWERS.test(name)));

describe('texts in the source', () => {
  it('that name a tool are errors or notices, which each surface puts in its terms', () => {
    expect(naming.length).toBeGreaterThan(30);
    const others = naming.filter(
      ({ within }) => !within.some((name) => IN_ANSWERS.test(name) || name in ELSEWHERE),
    );
    expect(others).toEqual([]);
  });

  it('name only parameters that there are, and of the tool that they tell to call', () => {
    const known = new Set(every.flatMap(({ tool }) => Object.keys(tool.input.shape)));
    for (const name of [...Object.keys(contextInput.shape), ...toolNames]) known.add(name);
    const unknown = answerTexts.flatMap(({ file, text }) =>
      namesIn(text)
        .filter((name) => !known.has(name) && !OTHER_NAMES.has(name))
        .map((name) => `${file}: ${name} in ${text}`),
    );
    expect(unknown).toEqual([]);
  });

  it('print each call with all that it needs', () => {
    let printed = 0;
    for (const { text } of answerTexts) {
      for (const { tool: name, params } of printedCalls(text)) {
        const tool = every.find((each) => each.tool.name === name)!.tool;
        const { required = [] } = inputSchema(tool) as { required?: string[] };
        expect(Object.keys(tool.input.shape), text).toEqual(
          expect.arrayContaining(Object.keys(params)),
        );
        expect(Object.keys(params), text).toEqual(expect.arrayContaining(required));
        printed++;
      }
    }
    expect(printed).toBeGreaterThan(10);
  });
});

/** Names in texts that are neither tools nor parameters, but the tools of a scope. */
const OTHER_NAMES = new Set(['xStorageList']);

interface PrintedCall {
  readonly tool: string;
  readonly params: Record<string, string | number | boolean>;
}

/** Returns the calls in a text that are printed with parameters, with `x` as a number, too. */
function printedCalls(text: string): PrintedCall[] {
  const value = String.raw`(?:"[^"]*"|\d+|x|true|false)`;
  const calls = new RegExp(
    String.raw`\b([a-z]+[A-Z]\w*) with ((?:\w+ ${value}(?:,? and |, )?)+)`,
    'gu',
  );
  return [...text.matchAll(calls)].flatMap(([, tool = '', list = '']) =>
    toolNames.has(tool) ? [{ tool, params: valuesIn(list) }] : [],
  );
}

function valuesIn(list: string): PrintedCall['params'] {
  const pairs = [...list.matchAll(/(\w+) ("[^"]*"|\d+|x|true|false)/gu)];
  const valueOf = (text: string) =>
    text === 'x' ? 1 : (JSON.parse(text) as string | number | boolean);
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, valueOf(value)]));
}

/** Returns what a phrase of a surface tells a client to call, with the values that it prints. */
function callOfPhrase(phrase: string) {
  const [, name = '', rest = ''] = /^(\w+)(?: with (.*))?$/su.exec(phrase) ?? [];
  const [, tool, agent, more = ''] = /^(\w+) of (\w+)(?: with (.*))?$/su.exec(rest) ?? [];
  if (tool === undefined) return { name, arguments: valuesIn(rest) };
  return { name, arguments: { calls: [{ agent, tool, params: valuesIn(more) }] } };
}

/** What a client can call: tool names, or a tool with an action. */
function callable(surface: Surface, enabled: readonly string[]): string {
  const listed = listTools(toolkit, surface, enabled);
  const behind = allTools(toolkit, enabled).map(({ tool }) => tool.name);
  return JSON.stringify(surface === 'actions' ? listed : [listed, behind]);
}

const state = { conversationContext: 'Talk', activeTask: 'Talk', activeFiles: [], nextSteps: [] };
const long = Array.from({ length: 9000 }, (_, at) => `word ${at}`).join(' ');
const shed = { name: 'Shed', description: 'd', rootFolder: 'Shed', purpose: 'p' };

/** Calls whose answers print another call, each with the calls before it. */
const PRINTING: [what: string, ...calls: [tool: string, params: Record<string, unknown>][]][] = [
  [
    'a long state',
    ['createState', { ...state, name: 'Long', conversationContext: long }],
    ['createState', { ...state, name: 'Later', continues: '' }],
    ['loadState', { name: 'Long' }],
  ],
  [
    'an archived workspace',
    ['createWorkspace', shed],
    ['archiveWorkspace', { name: 'Shed' }],
    ['archiveWorkspace', { name: 'Shed' }],
  ],
  [
    'a workspace that exists and is archived',
    ['createWorkspace', shed],
    ['archiveWorkspace', { name: 'Shed' }],
    ['createWorkspace', shed],
  ],
  [
    'a save in an archived workspace',
    ['createWorkspace', shed],
    ['archiveWorkspace', { name: 'Shed' }],
    ['createState', { ...state, name: 'Roof', workspaceId: 'Shed' }],
  ],
  ['a long note', ['readContent', { path: 'Garden/Long.md' }]],
  ['a note that is not there', ['readContent', { path: 'Garden/Peas.md' }]],
  ['a folder that is not there', ['searchContent', { query: 'peas', rootFolder: 'Attic' }]],
  ['a file that is not there', ['validateWorkspace', { scope: 'file', path: 'Peas.md' }]],
  ['a path that nothing has', ['analyzeImpact', { path: 'Peas.md' }]],
  [
    'what earlier states say and has no room',
    [
      'createState',
      {
        ...state,
        name: 'First',
        decisions: Array.from({ length: 400 }, (_, at) => `Choice ${at} of the greenhouse plan`),
      },
    ],
    ['createState', { ...state, name: 'Second' }],
    ['loadState', { name: 'Second' }],
  ],
];

describe.each(SURFACES)('on the surface %s', (surface) => {
  const enabledSets = [[], ...switches.map((name) => [name]), switches];

  it.each(enabledSets.map((enabled) => [enabled]))(
    'no error or notice names a tool that a client with %j cannot call',
    (enabled: string[]) => {
      const client = callable(surface, enabled);
      let named = 0;
      for (const { text } of answerTexts) {
        const answer = { success: false, error: text, notice: text } as const;
        const { notice = '' } = inTermsOfSurface(answer, toolkit, surface, enabled);
        for (const name of namesIn(notice)) {
          if (!toolNames.has(name)) continue;
          named++;
          expect(client.includes(`"${name}"`), `${name} in: ${text}`).toBe(true);
        }
      }
      if (surface !== 'actions') expect(named).toBeGreaterThan(10);
    },
  );

  it('each tool can be called by the phrase that errors and notices have for it', async () => {
    const phrases = toolPhrases(toolkit, undefined, (tool) =>
      howToCall(toolkit, surface, tool.name),
    );
    let called = 0;
    for (const { tool } of every) {
      const phrase = phrases.get(tool.name) ?? '';
      if (tool.isRelay || (surface === 'actions' && tool.action === undefined)) continue;
      const { client } = await openOn(surface);
      const answer = await client.callTool(callOfPhrase(phrase));
      const { error } = answerOf(answer) as { error?: string };
      // what is missing now is only what the tool itself needs
      expect(error ?? '', phrase).not.toMatch(/does not exist|unknown|Valid:|valid /iu);
      called++;
    }
    expect(called).toBeGreaterThan(25);
  });

  it.each(someOf(PRINTING, 6))('the call printed for %s succeeds', async (_, ...calls) => {
    const { client, vault } = await openOn(surface);
    vault.files.put('Garden/Long.md', long.replaceAll(' ', '\n'));
    let text = '';
    for (const [tool, params] of calls) {
      const answer = await client.callTool(callOn(surface, tool, params));
      const { error = '', notice = '' } = answerOf(answer) as { error?: string; notice?: string };
      text = `${error} ${notice}`;
    }
    const [start] = PHRASE_STARTS[surface].exec(text) ?? [''];
    const printed = text
      .slice(text.indexOf(start))
      .replace(/ (?:to|for|for more)\b.*|\.( .*)?$/su, '');
    const call = callOfPhrase(printed);
    const answer = await client.callTool(call);
    expect(answerOf(answer), `${text}: ${JSON.stringify(call)}`).toMatchObject({ success: true });
  });

  it('the answers of several calls name tools as errors and notices do', async () => {
    const { client } = await openOn(surface);
    if (surface === 'actions') return;
    const call = { agent: 'memoryManager', tool: 'loadState', params: { name: 'None' } };
    const answer = await client.callTool({
      name: 'useTools',
      arguments: { calls: [call, call], strategy: 'parallel' },
    });
    const phrase = howToCall(toolkit, surface, 'listStates');
    expect(JSON.stringify(answerOf(answer))).toContain(`Use ${phrase} to see`);
  });
});

/** Matches how a call is printed that has parameters. */
const PHRASE_STARTS: Record<Surface, RegExp> = {
  full: /(?:useTools with )?\b[a-z]+[A-Z]\w*(?: of \w+)? with/u,
  compact: /useTools with \w+ of \w+ with/u,
  actions: /\w+ with action/u,
};
