import manifest from '../../manifest.json';
import type { ProgramHost } from '../cli/program.js';
import { onAnyDisk, type NodeProcess } from '../node/modules.js';

/** Returns this process as a command's host. `file` is the absolute path of main.js. */
export function createProcessHost(
  process: NodeProcess,
  file: string,
  args: readonly string[],
): ProgramHost {
  return {
    version: manifest.version,
    args,
    file,
    script: process.argv[1] ?? file,
    node: nodeModules(process),
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

/** Returns Node's modules. One that not every command needs becomes a field at its first use. */
function nodeModules(process: NodeProcess): ProgramHost['node'] {
  function keep<T>(name: keyof typeof modules, value: T): T {
    Object.defineProperty(modules, name, { value });
    return value;
  }
  const callbackFs = process.getBuiltinModule('node:fs');
  const modules: ProgramHost['node'] = {
    fs: onAnyDisk(process.getBuiltinModule('node:fs/promises'), callbackFs),
    callbackFs,
    path: process.getBuiltinModule('node:path'),
    os: process.getBuiltinModule('node:os'),
    timers: process.getBuiltinModule('node:timers'),
    process,
    get crypto() {
      return keep('crypto', process.getBuiltinModule('node:crypto'));
    },
    get net() {
      return keep('net', process.getBuiltinModule('node:net'));
    },
    get http() {
      return keep('http', process.getBuiltinModule('node:http'));
    },
    get childProcess() {
      return keep('childProcess', process.getBuiltinModule('node:child_process'));
    },
  };
  return modules;
}
