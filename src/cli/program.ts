import type { HostEnvironment, SetupModules } from '../node/client-setup/clients.js';
import type { Platform, ProcessEnv } from '../node/modules.js';
import { stateFolderFrom } from '../node/ports/state-folder.js';

/** The process in which a command runs. Only `headless.ts` accesses the process itself. */
export interface ProgramHost {
  readonly version: string;
  /** The words that the user typed after the program's name. */
  readonly args: readonly string[];
  /** The absolute path of main.js. */
  readonly file: string;
  /** The absolute path of the script that starts it: main.js or its launcher, which is faster. */
  readonly script: string;
  readonly node: SetupModules;
  readonly parseArgs: typeof import('node:util').parseArgs;
  readonly env: ProcessEnv;
  readonly platform: Platform;
  /** The executable of this process. */
  readonly execPath: string;
  readonly stdin: import('node:tty').ReadStream;
  readonly stdout: import('node:tty').WriteStream;
  readonly stderr: import('node:tty').WriteStream;
  /** Ends the process at once, even if something is still open. */
  exit(code: number): void;
  /** Calls `task` once when the process is asked to stop (SIGINT or SIGTERM). */
  onStop(task: () => void): void;
}

export function hostOf({ node, platform, env, execPath }: ProgramHost): HostEnvironment {
  return { platform, env, home: node.os.homedir(), execPath };
}

/** Returns the state folder of this device: the option, else SAVEPOINT_STATE, else the system's. */
export function stateFolderOf(
  { node, env, platform }: Pick<ProgramHost, 'node' | 'env' | 'platform'>,
  state: string | undefined,
): string {
  return state === undefined ? stateFolderFrom(node, env, platform) : node.path.resolve(state);
}
