import { ChatAgentFailure } from '../../acp/chat-agent-failure.js';
import type { ChatAgentProcess } from '../../acp/chat-agent-process.js';
import type { NodeModules, NodeProcess, Platform, ProcessEnv } from '../modules.js';

export interface ChatAgentProgramOptions {
  /** An absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: ProcessEnv;
  readonly platform: Platform;
}

interface AgentModules extends NodeModules {
  readonly childProcess: Pick<typeof import('node:child_process'), 'spawn'>;
  readonly process: NodeModules['process'] & Pick<NodeProcess, 'kill'>;
}
type Child = ReturnType<AgentModules['childProcess']['spawn']>;

const MAX_OUTPUT_CHARS = 4000;
/** Time for an agent to end by itself after its input has ended, and after each signal. */
const GRACE_MS = 2000;
const POLL_MS = 50;
/** Some agents leave a program behind that keeps their output open. */
const OUTPUT_AFTER_EXIT_MS = 1000;

/** Starts an agent in its own process group. Throws a `ChatAgentFailure` if it cannot start. */
export async function startChatAgentProgram(
  node: AgentModules,
  options: ChatAgentProgramOptions,
): Promise<ChatAgentProcess> {
  const { command, args, cwd, env, platform } = options;
  const isScript = platform === 'win32' && /\.(?:cmd|bat)$/iu.test(command);
  const child = node.childProcess.spawn(isScript ? `"${command}"` : command, [...args], {
    cwd,
    env,
    // a group of its own, so that one signal reaches what the agent has started
    detached: platform !== 'win32',
    shell: isScript, // Windows runs such files only in a shell
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new ChatAgentFailure('missing', error.message)));
  });
  return new ChatAgentProgram(node, child, platform);
}

class ChatAgentProgram implements ChatAgentProcess {
  readonly #node: AgentModules;
  readonly #child: Child;
  readonly #pid: number;
  readonly #isWindows: boolean;
  #output = '';
  #ending: Promise<void> | undefined;

  constructor(node: AgentModules, child: Child, platform: Platform) {
    this.#node = node;
    this.#child = child;
    this.#pid = child.pid ?? 0;
    this.#isWindows = platform === 'win32';
    child.stderr?.on('data', (bytes: Uint8Array) => {
      const text = new TextDecoder().decode(bytes);
      this.#output = `${this.#output}${text}`.slice(-MAX_OUTPUT_CHARS);
    });
    child.stdin?.on('error', ignore); // each write reports its own error
    // such as a signal that could not be sent to a program that has ended
    child.on('error', ignore);
  }

  listen(onData: (chunk: Uint8Array) => void, onEnd: () => void): void {
    const { timers } = this.#node;
    let hasEnded = false;
    const end = () => {
      if (!hasEnded) onEnd();
      hasEnded = true;
    };
    this.#child.stdout?.on('data', onData);
    this.#child.once('close', end);
    this.#child.once('exit', (code, signal) => {
      if (code !== 0 || signal !== null)
        this.#output += `\n(${signal === null ? `exit code ${String(code)}` : signal})`;
      timers.setTimeout(end, OUTPUT_AFTER_EXIT_MS);
    });
  }

  pause(): void {
    this.#child.stdout?.pause();
  }

  resume(): void {
    this.#child.stdout?.resume();
  }

  write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const { stdin } = this.#child;
      if (!stdin || stdin.destroyed) return reject(new ChatAgentFailure('ended'));
      stdin.write(text, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  lastOutput(): string {
    return this.#output;
  }

  /** Closes the agent's input; if it does not end, signals its group, then what is left of it. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    // they are found through their parents, which may end before them
    const descendants = await this.#descendants();
    this.#child.stdin?.end();
    if (await this.#areGone(descendants)) return;
    if (this.#isWindows) {
      await outputOf(this.#node, 'taskkill', ['/T', '/F', '/PID', String(this.#pid)]);
      return;
    }
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      this.#signal(-this.#pid, signal);
      for (const pid of descendants) this.#signal(pid, signal);
      if (await this.#areGone(descendants)) return;
    }
  }

  async #areGone(descendants: readonly number[]): Promise<boolean> {
    const { timers } = this.#node;
    const isAlive = () =>
      this.#isWindows
        ? this.#child.exitCode === null && this.#child.signalCode === null
        : [-this.#pid, ...descendants].some((pid) => this.#signal(pid, 0));
    for (let waited = 0; waited < GRACE_MS; waited += POLL_MS) {
      if (!isAlive()) return true;
      await new Promise((resolve) => timers.setTimeout(resolve, POLL_MS));
    }
    return false;
  }

  /** Signals a process, or a group if the id is negative. Returns false if there is none. */
  #signal(pid: number, signal: Parameters<NodeProcess['kill']>[1]): boolean {
    try {
      return this.#node.process.kill(pid, signal);
    } catch {
      return false; // it has ended
    }
  }

  async #descendants(): Promise<number[]> {
    if (this.#isWindows) return [];
    const lines = (await outputOf(this.#node, 'ps', ['-A', '-o', 'pid=,ppid='])).split('\n');
    const children = new Map<number, number[]>();
    for (const line of lines) {
      const [pid, parent] = line.trim().split(/\s+/u).map(Number);
      if (pid === undefined || parent === undefined) continue;
      children.set(parent, [...(children.get(parent) ?? []), pid]);
    }
    const found: number[] = [];
    const waiting = [this.#pid];
    for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
      const below = children.get(pid) ?? [];
      found.push(...below);
      waiting.push(...below);
    }
    return found;
  }
}

/** Returns false if no running program has these words in its command. Always true on Windows. */
export async function isProgramRunning(node: AgentModules, words: string): Promise<boolean> {
  const list = await outputOf(node, 'ps', ['-A', '-o', 'args=']);
  return list === '' || list.includes(words);
}

/** Runs a program of the system and returns its output; empty if it cannot be run. */
function outputOf(
  { childProcess }: AgentModules,
  command: string,
  args: readonly string[],
): Promise<string> {
  return new Promise((resolve) => {
    let output = '';
    const child = childProcess.spawn(command, [...args], { stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.on('data', (bytes: Uint8Array) => {
      output += new TextDecoder().decode(bytes);
    });
    child.once('error', () => resolve(''));
    child.once('close', () => resolve(output));
  });
}

function ignore(): void {
  // The caller says why.
}
