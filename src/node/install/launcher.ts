import type { NodeProcess } from '../modules.js';
/** Clients' settings contain the path of this file in the folder of installed programs. */
export const LAUNCHER = 'savepoint.js';

/** The file in the same folder that contains the name of the current version's folder. */
export const CURRENT_VERSION = 'current';

export const PROGRAM_FILE = 'main.js';

/** Files that the launcher loads: one with what hooks need, one with what all commands need. */
export const PARTS = ['hook', 'command'] as const;

/** Returns the code as a function, because adding that when it is loaded would copy all of it. */
export function wrapped(code: string): string {
  return `(function (exports, require, module, __filename, __dirname) {${code}\n})`;
}

interface Program {
  run(args: readonly string[]): Promise<number>;
}

/** Runs the current version. The launcher gets its source, so it refers to nothing outside. */
function launch(
  folder: string,
  load: NodeJS.Require,
  host: NodeProcess,
  codeCache: ReturnType<typeof openCompileCache>,
): void {
  const fs = load('node:fs') as typeof import('node:fs');
  const vm = load('node:vm') as typeof import('node:vm');
  const args = host.argv.slice(2);
  const isHook = args[0] === 'hook';
  start().then(
    (code) => {
      host.exitCode = code;
    },
    (error: unknown) => {
      if (isHook) host.exit(0); // clients react to a failed hook
      const problem = error instanceof Error ? error.message : String(error);
      host.stderr.write(
        `Savepoint cannot start from ${folder}: ${problem}. Open the vault in Obsidian or run "savepoint connect" again, which installs the program there.\n`,
      );
      host.exitCode = 1;
    },
  );

  async function start(): Promise<number> {
    const version = `${folder}/${fs.readFileSync(`${folder}/current`, 'utf8').trim()}`;
    return loadPart(version, isHook ? 'hook' : 'command').run(args);
  }

  function loadPart(version: string, part: string): Program {
    const file = `${version}/${part}.js`;
    // Each command and each hook compiles other functions.
    const use = args.slice(0, isHook ? 2 : 1).join('-');
    const cache = `${version}/cache/${/^[a-z-]+$/.test(use) ? use : part}`;
    const exported = { exports: {} as Program, filename: `${version}/main.js` };
    const cachedData = codeCache.read(cache);
    const script = new vm.Script(fs.readFileSync(file, 'latin1'), {
      filename: file,
      ...(cachedData && { cachedData }),
    });
    const run = script.runInThisContext() as (...values: unknown[]) => void;
    run.call(exported.exports, exported.exports, load, exported, file, version);
    if (cachedData) codeCache.confirm(cache);
    if (!cachedData || script.cachedDataRejected)
      host.once('exit', () => {
        if (host.exitCode !== 0) return; // perhaps there is no such command
        // otherwise it was uninstalled
        if (fs.existsSync(file)) codeCache.save(cache, script.createCachedData());
      });
    return exported.exports;
  }
}

/**
 * Keeps the compiled code of a command in a file, with its hash: V8 does not check what it gets. As
 * `launch`, it is written to the launcher as its own source.
 */
function openCompileCache(load: NodeJS.Require, host: NodeProcess) {
  const fs = load('node:fs') as typeof import('node:fs');
  const crypto = load('node:crypto') as typeof import('node:crypto');
  const markOf = (file: string) => `${file}.starting`;
  const hashOf = (data: Uint8Array) => crypto.createHash('sha256').update(data).digest();
  return {
    /** Returns undefined if there is none, if it is damaged, or if a start died with it. */
    read(file: string): Buffer | undefined {
      try {
        if (fs.existsSync(markOf(file))) return undefined;
        const content = fs.readFileSync(file);
        const data = content.subarray(32);
        if (!content.subarray(0, 32).equals(hashOf(data))) return undefined;
        fs.writeFileSync(markOf(file), '');
        return data;
      } catch {
        return undefined; // it does not exist yet
      }
    },
    /** To be called when a start has not died with it. */
    confirm(file: string): void {
      try {
        fs.unlinkSync(markOf(file));
      } catch {
        // Another start has removed it, or the next one is slower.
      }
    },
    save(file: string, data: Buffer): void {
      try {
        const draft = `${file}.${host.pid}`;
        fs.mkdirSync(file.slice(0, file.lastIndexOf('/')), { recursive: true });
        try {
          const handle = fs.openSync(draft, 'w');
          try {
            for (const part of [hashOf(data), data]) fs.writeFileSync(handle, part);
            fs.fsyncSync(handle);
          } finally {
            fs.closeSync(handle);
          }
          fs.renameSync(draft, file);
          fs.rmSync(markOf(file), { force: true });
        } finally {
          fs.rmSync(draft, { force: true }); // what a full disk left of it
        }
      } catch {
        // The next start is slower.
      }
    },
  };
}

export function launcherSource(): string {
  return `#!/usr/bin/env node\n'use strict';\n(${launch.toString()})(__dirname, require, process, (${openCompileCache.toString()})(require, process));\n`;
}
