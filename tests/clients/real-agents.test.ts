import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findKnownChatAgent } from '../../src/acp/known-chat-agents.js';
import { MODE_ID } from '../../src/acp/session-settings.js';
import { runProgram } from '../fakes/program.js';
import { stateNamed } from '../fakes/test-vault.js';
import { prompt as promptSession, type Turn } from '../node/chat-agents/scripted-agent.js';
import { createFolder } from '../node/folders.js';
import { isNightly } from '../tier.js';
import { installClient } from './install-client.js';
import { startModelServer, type ModelServer, type Step } from './model-server.js';
import {
  clientOf,
  configureAgent,
  openAgent,
  packageOf,
  programsWith,
  REAL_AGENTS,
  type OpenAgent,
} from './real-agents.js';
import { createHome, type ClientHome } from './real-clients.js';

const SETUP_TIMEOUT_MS = 30 * 60_000;
const STATE = 'Outline of chapter two';

/** Returns the minute since 1970 in which we are. */
const minute = () => Math.floor(Date.now() / 60_000);

/** Agents with the folder of their programs, or with the reason to skip them. */
const agents = REAL_AGENTS.map((agent) => {
  const { npmPackage, version } = packageOf(agent);
  const installed = isNightly ? installClient(npmPackage) : { problem: 'not asked for' };
  if (isNightly && 'problem' in installed) console.warn(`Skipped: ${installed.problem}`);
  return { ...agent, version, ...installed };
});

describe.skipIf(process.platform === 'win32').each(agents)('$id $version', (agent) => {
  const isSkipped = 'problem' in agent;
  const bin = 'bin' in agent ? agent.bin : '';
  let server: ModelServer;
  let folder: string;
  let home: ClientHome;
  let start: (previousId?: string) => Promise<OpenAgent>;
  let open: OpenAgent;
  let startedIn: number;

  beforeAll(async () => {
    if (isSkipped) return;
    server = await startModelServer();
    folder = createFolder();
    const client = clientOf(agent);
    home = createHome(folder, client, bin, server.url);
    configureAgent(folder, client, server.url);
    mkdirSync(join(home.vault, 'Notes'));
    start = (previousId) => openAgent(agent, bin, home, previousId);
    open = await start();
    startedIn = minute();
  }, SETUP_TIMEOUT_MS);

  afterAll(async () => {
    await open?.session.close();
    await server?.close();
  });

  /** Sends a message that the model answers with the steps. */
  async function turn(steps: readonly Step[], control?: Parameters<typeof promptSession>[2]) {
    server.script([...steps, { text: 'That is all.' }]);
    const result = await promptSession(open.session, ['go on'], control);
    expect({ problems: server.problems, reported: open.reported }).toEqual({
      problems: [],
      reported: [],
    });
    return result;
  }

  const partsOf = ({ steps }: Turn) => steps.flatMap(({ parts }) => parts);
  const deny = () => Promise.resolve(false);

  it.skipIf(isSkipped)('offers the mode that asks, and is in it', () => {
    const mode = findKnownChatAgent(agent.id)?.askingMode;
    const setting = open.session.settings.find(({ id }) => id === MODE_ID);
    expect(setting?.options.map(({ value }) => value)).toContain(setting?.value);
    expect(setting?.value).toBe(mode ?? agent.firstMode);
  });

  it.skipIf(isSkipped)('answers a prompt', async () => {
    const { text, steps } = await turn([]);
    expect(text).toContain('That is all.');
    expect(steps.at(-1)).toMatchObject({ end: 'done' });
  });

  it.skipIf(isSkipped)('saves a state in the vault', async () => {
    const args = stateNamed(STATE, { activeTask: 'Sort the sources' });
    const result = await turn([{ tool: 'createState', args }]);
    expect(result.asked.map(({ tool }) => tool)).toEqual(
      agent.asksNotForMemory === undefined ? ['createState'] : [],
    );
    expect(partsOf(result)).toContainEqual(
      expect.objectContaining({ type: 'tool', tool: 'createState', status: 'done' }),
    );
    const list = ['call', 'listStates', '--vault', home.vault, '--json', '{}'];
    const { stdout } = await runProgram(list, { env: home.env });
    expect(stdout).toContain(STATE);
  });

  it.skipIf(isSkipped)('shows a change before it writes', async () => {
    const file = join(home.vault, 'Notes/New.md');
    let wasThere: boolean | undefined;
    const result = await turn([agent.write(file, 'One line')], {
      approve() {
        wasThere = existsSync(file);
        return Promise.resolve(true);
      },
    });
    expect(wasThere).toBe(false);
    expect(readFileSync(file, 'utf8').trim()).toBe('One line');
    expect(result.asked[0]?.changes).toMatchObject([{ path: 'Notes/New.md' }]);
    expect(result.asked[0]?.changes[0]?.lines[0]).toBe('+One line');
    expect(partsOf(result)).toContainEqual(
      expect.objectContaining({ tool: 'edit', status: 'done' }),
    );
  });

  it.skipIf(isSkipped)('writes nothing that the user has denied', async () => {
    const file = join(home.vault, 'Notes/Denied.md');
    const result = await turn([agent.write(file, 'One line')], { approve: deny });
    expect(result.asked).toHaveLength(1);
    expect(existsSync(file)).toBe(false);
    expect(partsOf(result)).toContainEqual(
      expect.objectContaining({ type: 'tool', status: 'denied' }),
    );
  });

  it.skipIf(isSkipped)('runs no command that the user has denied', async () => {
    const file = join(home.vault, 'Notes/Shell.md');
    const result = await turn([agent.shell(file)], { approve: deny });
    expect(result.asked).toHaveLength(1);
    expect(existsSync(file)).toBe(false);
  });

  it.skipIf(isSkipped)('does not change the settings of the app', async () => {
    const file = join(home.vault, '.obsidian/app.json');
    writeFileSync(file, '{}');
    const result = await turn([agent.write(file, '{"a":1}')]);
    expect(result.asked).toEqual([]);
    const [status] = partsOf(result).flatMap((part) => (part.type === 'tool' ? part.status : []));
    expect(status).toBe(agent.refusal);
    expect(readFileSync(file, 'utf8')).toBe('{}');
  });

  it.skipIf(isSkipped)('stops in the middle of a turn', async () => {
    const stop = new AbortController();
    server.script(['silence']);
    const waiting = promptSession(open.session, ['go on'], { signal: stop.signal });
    await expect.poll(() => server.requests.length, { timeout: 20_000 }).toBeGreaterThan(0);
    stop.abort();
    const { steps } = await waiting;
    expect(steps.at(-1)).toMatchObject({ end: 'stopped' });
    expect(open.session.isOpen).toBe(true);
  });

  it.skipIf(isSkipped)('leaves no process behind', async () => {
    expect(programsWith(folder).join('\n')).toContain(' mcp ');
    await open.session.close();
    expect(programsWith(folder)).toEqual([]);
  });

  it.skipIf(isSkipped)('continues the session in a new process', async () => {
    if (agent.forgetsWithinMinute !== undefined)
      await expect.poll(minute, { timeout: 70_000, interval: 1000 }).not.toBe(startedIn);
    open = await start(open.session.id);
    expect(open.session.isResumed).toBe(true);
    const { text } = await turn([]);
    expect(text).toContain('That is all.');
    const [request] = server.requests;
    expect(request?.results.join('\n')).toContain('Default'); // the first turns are in the request
  });

  it.skipIf(isSkipped || !agent.login)('says how to log in', async () => {
    const other = createFolder();
    const client = clientOf(agent);
    const keys = {
      ANTHROPIC_API_KEY: undefined,
      OPENAI_API_KEY: undefined,
      GEMINI_API_KEY: undefined,
      GOOGLE_GEMINI_BASE_URL: undefined, // it would do without a key
    };
    const stranger = createHome(other, client, bin, server.url);
    let words = '';
    try {
      const { session } = await openAgent(agent, bin, stranger, undefined, keys);
      const { steps } = await promptSession(session, ['go on']);
      words = steps.at(-1)?.error?.message ?? '';
      await session.close();
    } catch (error) {
      words = String(error);
    }
    expect(words).toMatch(agent.login ?? '');
    expect(programsWith(other)).toEqual([]);
  });
});
