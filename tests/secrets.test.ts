// Tier full: 400 texts go through ten surfaces
import { describe, expect, it } from 'vitest';
import { ChatAgentTurn } from '../src/acp/chat-agent-turn.js';
import { currentStatePrompt } from '../src/agents/shared/state-prompt.js';
import { buildCheckpoint } from '../src/capture/build-checkpoint.js';
import { sessionDraft } from '../src/capture/checkpoint-trace.js';
import { createConversations } from '../src/chat/log-conversations.js';
import { readResource } from '../src/bridge/mcp-resources.js';
import { createReport } from '../src/cli/output.js';
import type { MessagePart } from '../src/model/message.js';
import { lastAnswerOf } from '../src/model/text/checkpoint.js';
import { doctorText } from '../src/node/client-setup/connect-texts.js';
import { logHookFailure, readHookFailures } from '../src/node/capture/failure-log.js';
import { createTestRandom } from './fakes/deterministic.js';
import { createTestVault, garden, stateNamed, type TestVault } from './fakes/test-vault.js';
import { activityIn, CAPTURED_CLIENTS, transcriptOf } from './fakes/transcripts.js';
import {
  ENTRIES,
  isFalseAlarm,
  isLeaked,
  MAX_FALSE_ALARMS,
  MAX_LEAKS,
  type CorpusEntry,
} from './redaction/corpus.js';
import { createFolder, node } from './node/folders.js';
import { bringIn } from './transfer/foreign/importing.js';
import { shardsOf, traceAdded, workspaceCreated } from './transfer/foreign/nexus-vault.js';

/** Sends a text through a surface. Returns what it stored or showed. */
type Surface = (text: string) => Promise<string>;

const FOLDERS = {
  project: ['/p'],
  working: '/p',
  vault: ['/v'],
  home: '/h',
  roots: ['p'],
  excluded: [],
};

/** Returns a surface that stores in a vault, and reads back the bytes that were added. */
function storing(
  use: (vault: TestVault, text: string, index: number) => Promise<unknown>,
): Surface {
  const vault = createTestVault();
  const lengths = new Map<string, number>();
  let index = 0;
  return async (text) => {
    await use(vault, text, index++);
    await vault.idle();
    const paths = vault.files.paths().filter((path) => path.endsWith('.jsonl'));
    return paths
      .map((path) => {
        const whole = vault.files.text(path);
        const added = whole.slice(lengths.get(path) ?? 0);
        lengths.set(path, whole.length);
        return added;
      })
      .join('');
  };
}

/** Writes the checkpoint of a session with this text as request, command, to-do and answer. */
async function writeCheckpoint({ log }: TestVault, client: string, text: string, index: number) {
  const steps = [
    { kind: 'task', text },
    { kind: 'command', command: text, fails: index % 2 === 0 },
    { kind: 'todos', todos: [{ text, isDone: false }] },
    { kind: 'answer', text },
  ] as const;
  const known = CAPTURED_CLIENTS.find((each) => each === client) ?? 'claude-code';
  const activity = activityIn(client, transcriptOf(known, steps).split('\n'));
  const checkpoint = buildCheckpoint(activity, FOLDERS);
  expect(lastAnswerOf(checkpoint)).not.toBe('');
  const origin = { workspaceId: 'default', sessionId: 's', client };
  await log.writeTrace(sessionDraft(`c${index}`, origin, checkpoint, `key ${index}`));
}

/** Returns the parts of a message for a call that an agent reports. */
function agentParts(text: string): readonly MessagePart[] {
  const turn = new ChatAgentTurn({ toolNames: [], displayPath: (path) => path, now: () => 1 });
  const call = { toolCallId: 'c', title: text, kind: 'execute' };
  const diff = { type: 'diff', path: 'a.env', oldText: '', newText: text };
  turn.apply({ sessionUpdate: 'tool_call', ...call, rawInput: { command: text, nested: [text] } });
  turn.apply({
    sessionUpdate: 'tool_call_update',
    toolCallId: 'c',
    status: 'completed',
    content: [{ type: 'content', content: { type: 'text', text } }, diff],
  });
  const step = turn.end('done').find((event) => event.type === 'step');
  expect(step).toBeDefined();
  return step?.type === 'step' ? step.step.parts : [];
}

const state = createFolder();

const SURFACES: Readonly<Record<string, () => Surface>> = {
  'the trace of a call': () =>
    storing((vault, text) =>
      vault.call('searchMemory', { query: text, context: { goal: text, memory: text } }),
    ),
  'the trace of a failed call': () =>
    storing((vault, text) => vault.call('loadState', { name: text })),
  'a logged trace': () =>
    storing((vault, text) =>
      vault.call('logTrace', { kind: 'execution', content: text, outcome: 'ok', files: [] }),
    ),
  "an agent's call in a chat": () => {
    let made = 0;
    return storing(({ log }, text) =>
      createConversations(log, createTestRandom(++made)).add({
        conversationId: 'conv',
        parentId: undefined,
        role: 'assistant',
        parts: agentParts(text),
      }),
    );
  },
  'an imported trace': () =>
    storing((vault, text, index) => {
      const workspace = `w${index}`;
      const metadata = {
        tool: { agent: 'a', mode: 'run' },
        input: { arguments: { command: text } },
        context: { goal: text },
        outcome: { success: false, error: { message: text } },
      };
      return bringIn(
        vault.files,
        'nexus',
        shardsOf([workspaceCreated(workspace, 1), traceAdded(`t${index}`, workspace, 2, metadata)]),
      );
    }),
  ...Object.fromEntries(
    CAPTURED_CLIENTS.map((client) => [
      `a checkpoint of ${client}`,
      () => storing((vault, text, index) => writeCheckpoint(vault, client, text, index)),
    ]),
  ),
  'a brief': () => async (text) => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('S', { activeTask: text, nextSteps: [text] }));
    await vault.data('createRecord', { resource: 'decision', title: 'D', body: text });
    return String(await vault.data('brief'));
  },
  'a resource': () => async (text) => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('S', { conversationContext: text }));
    const uri = 'savepoint://workspace/Default/state/S';
    const { contents } = await readResource(await vault.log.memory(), uri, (named, workspace) =>
      currentStatePrompt(vault.toolkit.host.services, named, workspace),
    );
    return contents.map((content) => ('text' in content ? content.text : '')).join('');
  },
  'the log of failed hooks': () => async (text) => {
    await logHookFailure(node, state, 'T', text);
    return (await readHookFailures(node, state, 1)).join('');
  },
  doctor: () => (text) => {
    const capture = [{ name: 'hooks', isOk: false, text, fix: '' }];
    const report = { isOk: false, entries: [], vaults: [], packages: [], capture, advice: [text] };
    return Promise.resolve(doctorText(report));
  },
  'standard error': () => (text) => {
    let written = '';
    const stderr = { write: (line: string) => void (written += line) };
    createReport({ stderr: stderr as unknown as NodeJS.WriteStream })(new Error(text));
    return Promise.resolve(written);
  },
};

describe('what is written on purpose', () => {
  const secret = 'DB_PASSWORD=Quitte-2031!';
  const notice = (field: string) =>
    `Stored as written, but what looks like a secret is in "${field}": the log keeps it until the user forgets it, so change that secret where it is used.`;

  it.each([
    ['createState', stateNamed('S', { conversationContext: secret }), 'conversationContext'],
    ['createRecord', { resource: 'decision', title: 'D', body: secret }, 'body'],
    ['createWorkspace', { ...garden, preferences: { deploy: secret } }, 'preferences'],
  ])('is stored by %s, which names the field', async (tool, params, field) => {
    const vault = createTestVault();
    const answer = await vault.call(tool, params);
    expect(answer.success).toBe(true);
    expect(answer.notice).toContain(notice(field));
    expect(JSON.stringify(answer)).not.toContain('Quitte');
    await vault.idle();
    const lines = vault.files.paths().map((path) => [path, vault.files.text(path)] as const);
    const stored = lines.filter(([, text]) => text.includes('Quitte-2031!'));
    expect(stored.map(([path]) => path.includes('/core/'))).toEqual([true]);
  });

  it('is stored in messages, unlike what tools were called with', async () => {
    const { log } = createTestVault();
    const conversations = createConversations(log, createTestRandom());
    const parts: MessagePart[] = [
      { type: 'text', text: secret },
      { type: 'tool', id: '1', tool: 'run', params: { command: secret }, status: 'done' },
    ];
    await conversations.add({ conversationId: 'c', parentId: undefined, role: 'assistant', parts });
    const [message] = await conversations.messages('c');
    expect(message?.parts).toMatchObject([
      { text: secret },
      { params: { command: 'DB_PASSWORD=[secret]' } },
    ]);
  });

  it('is not named if no field looks like a secret', async () => {
    const vault = createTestVault();
    const params = stateNamed('S', { conversationContext: 'The token count is 4500.' });
    expect(JSON.stringify(await vault.call('createState', params))).not.toContain('secret');
  });
});

async function formsWhere(
  entries: readonly CorpusEntry[],
  surface: Surface,
  isFound: (entry: CorpusEntry, output: string) => boolean,
): Promise<string[]> {
  const found: string[] = [];
  for (const entry of entries)
    if (isFound(entry, await surface(entry.text))) found.push(entry.form);
  return found;
}

describe.each(Object.entries(SURFACES))('%s', (_, createSurface) => {
  it('contains at most seven of 200 secrets', async () => {
    const leaked = await formsWhere(ENTRIES.secrets, createSurface(), isLeaked);
    expect(leaked.length, leaked.join(', ')).toBeLessThanOrEqual(MAX_LEAKS);
  });

  it('has at most four of 200 look-alikes redacted', async () => {
    const redacted = await formsWhere(ENTRIES.lookAlikes, createSurface(), isFalseAlarm);
    expect(redacted.length, redacted.join(', ')).toBeLessThanOrEqual(MAX_FALSE_ALARMS);
  });
});
