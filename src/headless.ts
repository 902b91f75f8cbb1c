import manifest from '../manifest.json';
import { runCommand } from './cli/run-command.js';
import type { NodeModules } from './node/modules.js';

/** Runs one command and returns its exit code. `args` are the arguments after the program's name. */
export function run(args: readonly string[]): Promise<number> {
  return runCommand(args, {
    version: manifest.version,
    file: module.filename,
    node: nodeModules(),
    parseArgs: process.getBuiltinModule('node:util').parseArgs,
    env: process.env,
    platform: process.platform,
    execPath: process.execPath,
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    exit: (code) => process.exit(code),
    onStop(task) {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, task);
    },
  });
}

/** Returns Node's modules. Those that not every command needs are loaded on first use. */
function nodeModules(): NodeModules {
  return {
    fs: process.getBuiltinModule('node:fs/promises'),
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
    get stream() {
      return process.getBuiltinModule('node:stream');
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
  };
}

if (require.main === module)
  void run(process.argv.slice(2)).then((code) => {
    process.exitCode = code;
  });
