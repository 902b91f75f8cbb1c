// Tier full: runs the doctor of the built program a dozen times
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../fakes/program.js';

const ALL_WORKS = 'All connections work.';

/** A home in which everything is in order. */
interface Home {
  readonly project: string;
  /** Settings of the apps and of capture. */
  readonly claude: string;
  readonly codex: string;
  readonly gemini: string;
  readonly capture: string;
  /** Lets Claude Code end a turn whose transcript has this entry. */
  readonly turn: (id: string, entry: object) => Promise<void>;
}

async function createHome() {
  // in the folder of all tests, which is removed after them
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'savepoint-home-')));
  const at = (...names: string[]) => join(home, ...names);
  const [vault, project] = [at('vault'), at('project')];
  for (const folder of [join(vault, '.obsidian'), project, at('.claude'), at('.codex')])
    mkdirSync(folder, { recursive: true });
  mkdirSync(at('.gemini'));
  const env = {
    PATH: at('bin'), // without the clients of this machine
    HOME: home,
    SAVEPOINT_STATE: at('state'),
    XDG_RUNTIME_DIR: home,
  };
  const run = async (args: readonly string[], input = '') => {
    const { code, stdout, stderr } = await runProgram(args, { cwd: home, env, input });
    return { code, text: stdout + stderr };
  };
  for (const client of ['claude-code', 'codex', 'gemini'])
    await run(['connect', client, '--hooks', '--vault', vault]);
  const where = ['--project', project, '--workspace', 'Default', '--vault', vault];
  await run(['link', ...where, '--capture', 'on']);
  for (const client of ['claude-code', 'codex', 'gemini']) {
    const input = JSON.stringify({ session_id: client, cwd: project, source: 'startup' });
    await run(['hook', 'session-start', '--client', client, '--background'], input);
  }
  const paths: Home = {
    project,
    claude: at('.claude', 'settings.json'),
    codex: at('.codex', 'config.toml'),
    gemini: at('.gemini', 'settings.json'),
    capture: at('state', 'capture', 'settings.json'),
    async turn(id, entry) {
      const transcript = at(`${id}.jsonl`);
      const line = { version: '9.1.0', cwd: project, ...entry };
      writeFileSync(transcript, `${JSON.stringify(line)}\n`);
      const input = { session_id: id, transcript_path: transcript, cwd: project };
      await run(['hook', 'turn', '--background'], JSON.stringify(input));
    },
  };
  return { paths, doctor: () => run(['doctor', '--vault', vault]) };
}

/** Changes a file. Returns how to restore it. */
function edit(file: string, change: (text: string) => string): () => void {
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, change(before));
  return () => writeFileSync(file, before);
}

/** Adds fields to a file of settings. */
const addTo = (file: string, fields: object) =>
  edit(file, (text) => JSON.stringify({ ...(JSON.parse(text) as object), ...fields }));

interface Finding {
  readonly what: string;
  /** Breaks it, and returns how to repair it. */
  readonly break: (home: Home) => (() => unknown) | Promise<() => unknown>;
  readonly found: RegExp;
}

const UNKNOWN = { type: 'utterance', by: 'human' };

const FINDINGS: readonly Finding[] = [
  {
    what: 'hooks that were removed',
    break: ({ claude }) => addTo(claude, { hooks: {} }),
    found: /NO {2}Claude Code hooks: were added, but are no longer in settings\.json\n +Fix: /,
  },
  {
    what: 'the switch of Claude Code',
    break: ({ claude }) => addTo(claude, { disableAllHooks: true }),
    found: /Claude Code runs no hooks, because disableAllHooks in /,
  },
  {
    what: 'the switch of Codex',
    break: ({ codex }) => edit(codex, (text) => `${text}\n[features]\nhooks = false\n`),
    found: /Codex runs no hooks, because \[features\] hooks in /,
  },
  {
    what: 'the switch of Gemini CLI',
    break: ({ gemini }) => addTo(gemini, { hooksConfig: { enabled: false } }),
    found: /Gemini CLI runs no hooks, because hooksConfig\.enabled in /,
  },
  {
    what: 'a server that is not allowed',
    break: ({ gemini }) => addTo(gemini, { mcp: { allowed: ['github'] } }),
    found: /Gemini CLI does not start it, because mcp\.allowed in /,
  },
  {
    what: 'a server that Claude Code is denied',
    break: ({ claude }) => addTo(claude, { deniedMcpServers: [{ serverName: 'savepoint' }] }),
    found: /Claude Code does not start it, because deniedMcpServers in .*settings\.json:1 keeps/,
  },
  {
    what: 'a server that Claude Code is not allowed',
    break: ({ claude }) => addTo(claude, { allowedMcpServers: [{ serverName: 'github' }] }),
    found: /Claude Code does not start it, because allowedMcpServers in /,
  },
  {
    what: 'a linked folder that is gone',
    break: ({ project }) => {
      renameSync(project, `${project}-away`);
      return () => renameSync(`${project}-away`, project);
    },
    found: /There is no project in this folder any more\./,
  },
  {
    what: 'settings of capture that are damaged',
    break: ({ capture }) => edit(capture, (text) => text.slice(0, -2)),
    found: /The settings of what is captured are damaged, so nothing is/,
  },
  {
    what: 'a package and hooks at once',
    break: ({ claude }) => addTo(claude, { enabledPlugins: { 'savepoint@market': true } }),
    found: /Claude Code hooks: are there twice, in its settings and in its package/,
  },
  {
    what: 'transcripts that gave nothing three times',
    async break({ turn }) {
      for (const id of ['one', 'two', 'three']) await turn(id, UNKNOWN);
      return () => turn('four', { type: 'user', message: { content: 'Hello there, friend' } });
    },
    found: /nothing was understood in the last 3 transcripts .* Unknown: type "utterance"/,
  },
];

describe('doctor', () => {
  let created: ReturnType<typeof createHome> | undefined;
  /** Returns the home of all these tests, which repair it. */
  const home = () => (created ??= createHome());

  const saysThatAllWorks = async () => {
    const { doctor } = await home();
    const { code, text } = await doctor();
    expect({ code, isWell: text.includes(ALL_WORKS) }, text).toEqual({ code: 0, isWell: true });
  };

  it('says that all works if nothing is wrong', saysThatAllWorks);

  it.each(FINDINGS)('names $what, and does not say that all works', async (finding) => {
    const { paths, doctor } = await home();
    const repair = await finding.break(paths);
    const { code, text } = await doctor();
    expect({ code, isFound: finding.found.test(text) }, text).toEqual({ code: 1, isFound: true });
    expect(text).not.toContain(ALL_WORKS);
    await repair();
  });

  it('says that all works after all repairs', saysThatAllWorks);
});
