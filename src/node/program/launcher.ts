/** The name of the launcher in the folder of installed programs. Clients' settings contain its path. */
export const LAUNCHER = 'savepoint.js';

/** The file in the same folder that contains the name of the folder of the current version. */
export const CURRENT_VERSION = 'current';

/** The files of an installed version: the program, and the part of it that hooks need. */
export const PROGRAM_FILE = 'main.js';
export const HOOK_FILE = 'hook.js';

interface Program {
  run(args: readonly string[]): Promise<number>;
}

/**
 * Loads the current version with its compiled code from the last start, and runs it. It is written to the launcher as its own source,
 * so it refers to nothing outside it.
 */
function launch(folder: string, load: NodeJS.Require, host: NodeJS.Process): void {
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
      throw error;
    },
  );

  async function start(): Promise<number> {
    const version = `${folder}/${fs.readFileSync(`${folder}/current`, 'utf8').trim()}`;
    const kind = isHook ? 'hook' : 'main';
    const file = `${version}/${kind}.js`;
    const { enableCompileCache } = load('node:module') as Partial<typeof import('node:module')> & {
      enableCompileCache?: (cacheFolder: string) => void;
    };
    enableCompileCache?.(`${version}/cache`);
    const program = (enableCompileCache ? load(file) : compile(version, kind)) as Program;
    return program.run(args);
  }

  /** Node before version 22 has no compile cache. */
  function compile(version: string, kind: string): unknown {
    const file = `${version}/${kind}.js`;
    const cache = `${version}/cache/${kind}`;
    const exported = { exports: {}, filename: file };
    const names = 'exports, require, module, __filename, __dirname';
    const cachedData = read(cache);
    const script = new vm.Script(`(function (${names}) {${fs.readFileSync(file, 'utf8')}\n})`, {
      filename: file,
      ...(cachedData && { cachedData }),
    });
    const run = script.runInThisContext() as (...values: unknown[]) => void;
    run.call(exported.exports, exported.exports, load, exported, file, version);
    if (!cachedData || script.cachedDataRejected)
      host.once('exit', () => {
        if (fs.existsSync(file)) save(cache, script.createCachedData()); // otherwise it was uninstalled
      });
    return exported.exports;
  }

  function read(file: string): Buffer | undefined {
    try {
      return fs.readFileSync(file);
    } catch {
      return undefined; // it does not exist yet
    }
  }

  function save(file: string, data: Buffer): void {
    try {
      const draft = `${file}.${host.pid}`;
      fs.mkdirSync(file.slice(0, file.lastIndexOf('/')), { recursive: true });
      fs.writeFileSync(draft, data);
      fs.renameSync(draft, file);
    } catch {
      // The next start is slower.
    }
  }
}

/** Returns the source of the launcher. */
export function launcherSource(): string {
  return `#!/usr/bin/env node\n'use strict';\n(${launch.toString()})(__dirname, require, process);\n`;
}
