import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM, type RunResult } from '../fakes/program.js';
import { versionOf } from './install-client.js';
import type { Json } from './protocols.js';

/** A client that the tests install and drive without its screen. */
export interface RealClient {
  /** The word for `savepoint connect`, if that knows the client. */
  readonly id: 'claude-code' | 'codex' | 'gemini' | 'opencode' | 'copilot' | 'qwen-code' | 'cline';
  /** True if `configure` adds the server instead of `savepoint connect`. */
  readonly isConnectedByHand?: true;
  readonly npmPackage: string;
  readonly version: string;
  readonly program: string;
  /** Arguments for a new conversation with a prompt. */
  readonly start: (prompt: string) => readonly string[];
  /** Arguments that continue the last conversation of the folder. */
  readonly resume: (prompt: string) => readonly string[];
  /** Why `resume` begins a new conversation. */
  readonly cannotResume?: string;
  /**
   * Arguments for new conversations that begin with the MCP prompt `resume`; none if the client
   * cannot do that without its screen.
   */
  readonly resumeCommands: (workspace: string, state: string) => readonly (readonly string[])[];
  /**
   * True if the client puts the words into a template of the prompt, so that the model has to load
   * the state.
   */
  readonly usesTemplate?: true;
  /** Folder whose existence shows that the client is installed. */
  readonly marker: string;
  /** Variables that point the client to the model server and keep it from everything else. */
  readonly env: (modelUrl: string) => Readonly<Record<string, string>>;
  /** Adds the model server to the settings, after `savepoint connect` has written them. */
  readonly configure?: (home: string, modelUrl: string) => void;
}

/** Folder of the vault below the home folder. */
const VAULT = 'vault';

/**
 * Codex offers the model only the tools of servers that start within two seconds, unless it is told
 * to wait.
 */
const WAIT_FOR_SERVER = 'required = true\nstartup_timeout_sec = 120\n';
const NO_APPROVALS = '--dangerously-bypass-approvals-and-sandbox';

const startClaude = (prompt: string) => ['-p', '--dangerously-skip-permissions', prompt];
const startGemini = (prompt: string) => [
  '--yolo',
  '--model',
  'gemini-2.5-flash',
  '--prompt',
  prompt,
];

const startQwen = (prompt: string) => ['--yolo', '--auth-type', 'openai', prompt];
const startCline = (prompt: string) => ['--retries', '1', prompt];
const startCopilot = (prompt: string) => ['--allow-all-tools', '--prompt', prompt];

export const REAL_CLIENTS: readonly RealClient[] = [
  {
    id: 'claude-code',
    npmPackage: '@anthropic-ai/claude-code',
    version: versionOf('@anthropic-ai/claude-code'),
    program: 'claude',
    start: startClaude,
    resume: (prompt) => ['-p', '-c', '--dangerously-skip-permissions', prompt],
    // It cuts the words at spaces, gives one to each argument, and drops the rest.
    resumeCommands: (workspace, state) => [
      startClaude(`/mcp__savepoint__resume ${workspace} ${state}`),
      startClaude(`/mcp__savepoint__resume ${state}`),
    ],
    marker: '.claude',
    env: (modelUrl) => ({
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      ENABLE_TOOL_SEARCH: 'false',
      MCP_CONNECTION_NONBLOCKING: '0', // a prompt is known only once its server is connected
      IS_SANDBOX: '1', // allows root to skip approvals
    }),
  },
  {
    id: 'codex',
    npmPackage: '@openai/codex',
    version: versionOf('@openai/codex'),
    program: 'codex',
    start: (prompt) => ['exec', NO_APPROVALS, '--skip-git-repo-check', prompt],
    resume: (prompt) => ['exec', 'resume', '--last', NO_APPROVALS, '--skip-git-repo-check', prompt],
    resumeCommands: () => [], // it has no MCP prompts
    marker: '.codex',
    env: () => ({ OPENAI_API_KEY: 'none' }),
    configure(home, modelUrl) {
      const file = join(home, '.codex/config.toml');
      const provider = [
        'model = "fake"',
        'model_provider = "fake"',
        '[model_providers.fake]',
        'name = "fake"',
        `base_url = "${modelUrl}/v1"`,
        'wire_api = "responses"',
        'env_key = "OPENAI_API_KEY"',
      ];
      const entry = '[mcp_servers.savepoint]\n';
      const settings = readFileSync(file, 'utf8').replace(entry, `${entry}${WAIT_FOR_SERVER}`);
      writeFileSync(file, `${provider.join('\n')}\n\n${settings}`);
    },
  },
  {
    id: 'gemini',
    npmPackage: '@google/gemini-cli',
    version: versionOf('@google/gemini-cli'),
    program: 'gemini',
    start: startGemini,
    resume: (prompt) => [
      '--yolo',
      '--model',
      'gemini-2.5-flash',
      '--resume',
      'latest',
      '--prompt',
      prompt,
    ],
    // `/resume` is a command of its own, and words without a name fill only required arguments.
    resumeCommands: (_, state) => [startGemini(`/savepoint.resume --state="${state}"`)],
    marker: '.gemini',
    env: (modelUrl) => ({
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_CLI_NO_RELAUNCH: 'true',
      GEMINI_TELEMETRY_ENABLED: 'false',
    }),
    configure: (home) =>
      changeJson(join(home, '.gemini/settings.json'), {
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { disableAutoUpdate: true },
      }),
  },
  {
    id: 'opencode',
    npmPackage: 'opencode-ai',
    version: versionOf('opencode-ai'),
    program: 'opencode',
    start: (prompt) => ['run', '--auto', prompt],
    resume: (prompt) => ['run', '--auto', '--continue', prompt],
    // It asks for the prompt with the placeholders $1 and $2 instead of names.
    resumeCommands: (_, state) => [
      ['run', '--auto', '--command', 'savepoint:resume', ...state.split(' ')],
    ],
    usesTemplate: true,
    marker: '.config/opencode',
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    configure: (home, modelUrl) =>
      changeJson(join(home, '.config/opencode/opencode.json'), {
        provider: {
          fake: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${modelUrl}/v1`, apiKey: 'none' },
            models: { fake: {} },
          },
        },
        model: 'fake/fake',
        small_model: 'fake/fake',
      }),
  },
  {
    id: 'copilot',
    npmPackage: '@github/copilot',
    version: versionOf('@github/copilot'),
    program: 'copilot',
    start: startCopilot,
    resume: (prompt) => ['--continue', ...startCopilot(prompt)],
    resumeCommands: () => [],
    marker: '.copilot',
    env: (modelUrl) => ({
      COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
      COPILOT_MODEL: 'fake',
      COPILOT_OFFLINE: 'true',
    }),
  },
  {
    id: 'qwen-code',
    npmPackage: '@qwen-code/qwen-code',
    version: versionOf('@qwen-code/qwen-code'),
    program: 'qwen',
    start: startQwen,
    resume: (prompt) => ['--continue', ...startQwen(prompt)],
    resumeCommands: () => [],
    marker: '.qwen',
    env: (modelUrl) => ({
      OPENAI_BASE_URL: `${modelUrl}/v1`,
      OPENAI_API_KEY: 'none',
      OPENAI_MODEL: 'fake',
    }),
    isConnectedByHand: true,
    configure: (home) =>
      writeJson(join(home, '.qwen/settings.json'), {
        mcpServers: entryFor(home),
        tools: { toolSearch: { enabled: false } },
      }),
  },
  {
    id: 'cline',
    npmPackage: 'cline',
    version: versionOf('cline'),
    program: 'cline',
    start: startCline,
    resume: startCline,
    cannotResume: 'it continues a conversation only by its id',
    resumeCommands: () => [],
    marker: '.cline/data/settings',
    env: () => ({ CLINE_SESSION_BACKEND_MODE: 'local' }),
    isConnectedByHand: true,
    configure(home, modelUrl) {
      const settings = join(home, '.cline/data/settings');
      writeJson(join(settings, 'cline_mcp_settings.json'), { mcpServers: entryFor(home) });
      const provider = 'openai-compatible';
      const at = { provider, apiKey: 'none', model: 'fake', baseUrl: `${modelUrl}/v1` };
      writeJson(join(settings, 'providers.json'), {
        version: 1,
        lastUsedProvider: provider,
        modes: {},
        providers: {
          [provider]: { settings: at, updatedAt: new Date().toISOString(), tokenSource: 'manual' },
        },
      });
    },
  },
];

/** The server as a client that `savepoint connect` does not know describes it. */
function entryFor(home: string): Json {
  const args = [PROGRAM, 'mcp', '--vault', join(home, VAULT)];
  return { savepoint: { command: process.execPath, args } };
}

function changeJson(file: string, added: Json): void {
  writeJson(file, { ...(JSON.parse(readFileSync(file, 'utf8')) as Json), ...added });
}

function writeJson(file: string, value: Json): void {
  writeFileSync(file, JSON.stringify(value));
}

/** A home folder with a vault and two projects, in which a client runs. */
export interface ClientHome {
  readonly vault: string;
  readonly project: string;
  readonly otherProject: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Creates the folders below `home`. No program that they start reaches further than the loopback
 * interface.
 */
export function createHome(
  home: string,
  client: RealClient,
  bin: string,
  modelUrl: string,
): ClientHome {
  const folders = { vault: VAULT, project: 'project', otherProject: 'other' };
  for (const name of [...Object.values(folders), 'vault/.obsidian', client.marker])
    mkdirSync(join(home, name), { recursive: true });
  const noProxy = 'http://127.0.0.1:9';
  return {
    vault: join(home, folders.vault),
    project: join(home, folders.project),
    otherProject: join(home, folders.otherProject),
    env: {
      PATH: [bin, ...(process.env['PATH'] ?? '').split(':')].join(':'),
      HOME: home,
      XDG_RUNTIME_DIR: home,
      HTTP_PROXY: noProxy,
      HTTPS_PROXY: noProxy,
      NO_PROXY: '127.0.0.1,localhost',
      NO_COLOR: '1',
      ...client.env(modelUrl),
    },
  };
}

/** A client that hangs is ended after this time. It is far longer than any run takes. */
const RUN_TIMEOUT_MS = 10 * 60_000;
/** Time for the servers of a client to end after it. */
const EXIT_TIMEOUT_MS = 30_000;

/**
 * Runs a client until it ends. What it leaves behind is ended after a while, so that nothing holds
 * up the test.
 */
export function runClient(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<RunResult> {
  const child = spawn(program, args, {
    cwd,
    env: { ...env, PWD: cwd }, // opencode prefers it to the working directory
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a group of its own, which can be ended as a whole
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
  let timer = setTimeout(() => endGroup(child.pid), RUN_TIMEOUT_MS);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => {
      clearTimeout(timer);
      timer = setTimeout(() => endGroup(child.pid), EXIT_TIMEOUT_MS);
    });
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended by itself.
  }
}
