// Tier full: installs the program in three ways and runs what it prints
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shellQuoted } from '../../src/node/shell-quoted.js';
import { PROGRAM, temporaryFolder } from '../fakes/program.js';

const root = dirname(PROGRAM);
const FILES = ['main.js', 'manifest.json', 'styles.css'];

interface Installation {
  /** How a person starts it. */
  readonly start: string;
  /** A folder on PATH. */
  readonly bin?: string;
}

/** Ways in which a person may have the program, in a folder with spaces. */
const INSTALLATIONS: Record<string, (folder: string) => Installation> = {
  'a clone'(folder) {
    const clone = join(folder, 'save point');
    mkdirSync(join(clone, 'bin'), { recursive: true });
    for (const name of FILES) copyFileSync(join(root, name), join(clone, name));
    cpSync(join(root, 'bin'), join(clone, 'bin'), { recursive: true });
    return { start: `node ${shellQuoted(join(clone, 'main.js'))}` };
  },
  'the packed file, installed globally'(folder) {
    const prefix = join(folder, 'a prefix');
    const options = {
      cwd: root,
      env: { ...process.env, npm_config_prefix: prefix, npm_config_cache: join(folder, 'cache') },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore'],
    } as const;
    const packed = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
    const name = execFileSync('npm', packed, options).trim();
    execFileSync('npm', ['install', '-g', '--offline', join(folder, name)], options);
    return { start: 'savepoint', bin: join(prefix, 'bin') };
  },
  'the files of a release'(folder) {
    const release = join(folder, 'my release');
    mkdirSync(release);
    for (const name of FILES) copyFileSync(join(root, name), join(release, name));
    return { start: `node ${shellQuoted(join(release, 'main.js'))}` };
  },
};

/** Commands in backticks, which a path may contain, and those that end a line after a colon. */
function commandsIn(whole: string): string[] {
  const output = whole.replace(/^Usage: .*$/gm, ''); // the syntax of a command
  const quoted = [...output.matchAll(/`((?:savepoint|node) [^`]+)`/g)];
  const atEnd = [...output.matchAll(/: ((?:savepoint|node) [^\n`(]+)$/gm)];
  return [...quoted, ...atEnd].map(([, command]) => command!.trim());
}

/** Lines with a command that is not marked as one, apart from the syntax of commands. */
function otherCommandsIn(output: string): string[] {
  const marked = commandsIn(output);
  return output.split('\n').filter((line) => {
    const rest = marked.reduce((text, command) => text.replaceAll(command, ''), line);
    return /(?:\bsavepoint|main\.js["']?) (?:--)?[a-z]/.test(rest) && !/^ {2,}\S/.test(line);
  });
}

const state = (name: string, more = {}) =>
  `'${JSON.stringify({ name, conversationContext: 'c', activeTask: 't', activeFiles: [], nextSteps: ['n'], ...more })}'`;
const workspace = `'${JSON.stringify({ name: 'Tea shop', description: 'd', purpose: 'p', rootFolder: '/' })}'`;

/** What a person types, and whether it names the vault. Each prints commands. */
const TYPED = [
  'help',
  'serch x',
  'connect --vault VAULT',
  'connect codex --vault VAULT',
  'connect codex --hooks --vault VAULT',
  'doctor --vault VAULT',
  'doctor',
  'links',
  'unlink',
  'restore --vault VAULT',
  'restore Nothing --vault VAULT',
  'search tea --in Archiv --vault VAULT',
  'search tea --memory --workspace Nowhere --vault VAULT',
  'devices --vault VAULT',
  'verify --vault VAULT',
  'call listStates --vault VAULT --workspace Nowhere --json "{}"',
  'import EMPTY --vault VAULT',
];

describe.skipIf(process.platform === 'win32').each(Object.entries(INSTALLATIONS))(
  'each command that is printed by %s',
  (_, install) => {
    it('exists there and accepts what is printed', { timeout: 300_000 }, () => {
      const folder = temporaryFolder('printed commands');
      const [home, vault, project] = ['home', 'My vault', 'My project'].map((name) => {
        mkdirSync(join(folder, name));
        return join(folder, name);
      }) as [string, string, string];
      for (const path of [join(vault, '.obsidian'), join(home, '.codex'), join(vault, 'Archive')])
        mkdirSync(path);
      mkdirSync(join(project, '.git'));
      writeFileSync(join(folder, 'empty.jsonl'), '');
      const { start, bin } = install(folder);
      const env = {
        HOME: home,
        PATH: [...(bin === undefined ? [] : [bin]), process.env['PATH']].join(delimiter),
      };
      const run = (command: string) => {
        const result = spawnSync('sh', ['-c', command], { cwd: project, env, encoding: 'utf8' });
        return { code: result.status, output: `${result.stdout}${result.stderr}` };
      };
      const places = { VAULT: shellQuoted(vault), EMPTY: shellQuoted(join(folder, 'empty.jsonl')) };
      const type = (words: string) =>
        run(`${start} ${words.replace(/VAULT|EMPTY/g, (name) => places[name as 'VAULT'])}`).output;
      const prepare = [
        `createWorkspace --json ${workspace}`,
        `createState --workspace 'Tea shop' --json ${state('A "b" $c')}`,
        `archiveState --workspace 'Tea shop' --json '{"name":"A \\"b\\" $c"}'`,
        `createState --workspace 'Tea shop' --json ${state('Kept')}`,
      ];
      for (const call of prepare) type(`call --vault VAULT ${call}`);
      type("link --workspace 'Tea shop' --vault VAULT --capture off");
      const outputs = TYPED.map(type);
      // the memory is gone while this device has copies of it
      rmSync(join(vault, 'Savepoint'), { recursive: true });
      outputs.push(...['verify --vault VAULT', 'doctor --vault VAULT', 'doctor'].map(type));
      const [first] = readdirSync(vault).filter((name) => name !== '.obsidian');
      expect(first).toBe('Archive');
      const commands = [...new Set(outputs.flatMap(commandsIn))];
      expect(commands.length).toBeGreaterThan(9);
      for (const word of ['restore', 'verify --recover', 'verify --dismiss', 'searchDirectory'])
        expect(commands.join('\n')).toContain(word);
      const problems = commands.flatMap((command) => {
        const filled = command
          .replace(/\bDIR\b/g, places.VAULT)
          .replace(/\bNAME\b/g, "'Tea shop'")
          .replace(/\bCLIENT\b/g, 'codex')
          .replace(/\bCOMMAND\b/g, 'call');
        const { code, output } = run(`${filled} < /dev/null`);
        // 2: wrong usage, 126 and 127: the shell found no such command
        const isRun = (code === 0 || code === 1) && !output.includes('MODULE_NOT_FOUND');
        return isRun ? [] : [`${filled} ends with ${code}: ${output}`];
      });
      expect(problems).toEqual([]);
      // what is printed in another way cannot be told from the words around it
      const others = outputs.flatMap((output) => otherCommandsIn(output));
      expect([...new Set(others)]).toEqual([]);
    });
  },
);
