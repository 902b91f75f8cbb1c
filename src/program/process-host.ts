import manifest from '../../manifest.json';
import type { ProgramHost } from '../cli/program.js';
import type { NodeModules } from '../node/modules.js';

/** Returns this process as a command's host. `file` is the absolute path of main.js. */
export function createProcessHost(file: string, args: readonly string[]): ProgramHost {
  return {
    version: manifest.version,
    args,
    file,
    script: process.argv[1] ?? file,
    node: nodeModules(),
    parseArgs: process.getBuiltinModule('node:util').parseArgs,
    env: process.env,
    platform: process.platform,
    execPath: process.execPath,
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      return process.stderr;
    },
    exit: (code) => process.exit(code),
    onStop(task) {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, task);
    },
  };
}

/** Returns Node's modules. Those that not every command needs are loaded on first use. */
function nodeModules(): NodeModules {
  return {
    get fs() {
      return process.getBuiltinModule('node:fs/promises');
    },
    callbackFs: process.getBuiltinModule('node:fs'),
    path: process.getBuiltinModule('node:path'),
    os: process.getBuiltinModule('node:os'),
    timers: process.getBuiltinModule('node:timers'),
    get crypto() {
      return process.getBuiltinModule('node:crypto');
    },
    get net() {
      return process.getBuiltinModule('node:net');
    },
    get http() {
      return process.getBuiltinModule('node:http');
    },
    get https() {
      return process.getBuiltinModule('node:https');
    },
    get childProcess() {
      return process.getBuiltinModule('node:child_process');
    },
    process,
  };
}
