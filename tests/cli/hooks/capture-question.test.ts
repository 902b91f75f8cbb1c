import { cpSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { captureQuestion } from '../../../src/cli/hooks/capture-question.js';
import { runInProcess } from '../../fakes/in-process.js';
import { temporaryFolder } from '../../fakes/program.js';

let home: string;
let vault: string;
let project: string;

beforeEach(() => {
  home = realpathSync(temporaryFolder('home'));
  [vault, project] = [join(home, 'vault'), join(home, 'project')];
  for (const folder of [join(vault, '.obsidian'), project, join(home, '.claude')])
    mkdirSync(folder, { recursive: true });
});

interface RunOptions {
  /** Typed in a terminal. */
  readonly input?: string;
  /** The state folder, one per device. */
  readonly state?: string;
}

function run(args: readonly string[], { input, state = 'state' }: RunOptions = {}) {
  const env = {
    PATH: join(home, 'bin'), // without the clients of this machine
    HOME: home,
    SAVEPOINT_STATE: join(home, state),
    XDG_RUNTIME_DIR: home,
  };
  return runInProcess(home, env, args, input, input !== undefined);
}

const linkTo = (to: string, input = '', ...more: string[]) =>
  run([...LINK, '--project', project, '--vault', to, ...more], { input });
const LINK = ['link', '--workspace', 'Default'];
const link = (input = '', ...more: string[]) => linkTo(vault, input, ...more);

const save = (to: string, state: string) =>
  run(['call', 'createWorkspace', '--vault', to, '--json', JSON.stringify(WORKSPACE)], { state });
const WORKSPACE = { name: 'App', description: 'd', rootFolder: 'App', purpose: 'p' };

describe('the question of what may be kept', () => {
  it('says what, how long and who reads it, with an example of each level, in a few lines', () => {
    const lines = captureQuestion(['task', 'all', 'off']).split('\n');
    expect(lines).toEqual([
      'What may be kept of sessions in a project? Everybody who has the vault can',
      'read it, for a year, or until all of it is larger than 100 MB.',
      '  task  the task, files, commands, and the beginning of the last answer, such as',
      '        "Store dates in UTC", dates.ts, "npm test" with its error',
      '  all   all that you type and the agent answers, files and commands, such as',
      '        "No, in local time" and "All dates are in local time now."',
      '  off   nothing, so the next session does not know what happened',
      '',
    ]);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  it('offers all first where no other device has written', async () => {
    await save(vault, 'state');
    const asked = await link('\n');
    expect(asked).toContain(captureQuestion(['all', 'task', 'off']));
    expect(asked).toContain('Type all, task or off (Enter means all): Linked');
    expect(asked).toContain('all messages and answers are kept');
  });

  it('offers task first where another device has', async () => {
    await save(vault, 'other');
    const asked = await link('\n');
    expect(asked).toContain(captureQuestion(['task', 'all', 'off']));
    expect(asked).toContain('the task, files and commands are kept');
  });

  it('takes a typed level, and links nothing for another answer or none', async () => {
    expect(await link('half\n')).toContain('Unknown value "half". Valid: off, task, all.');
    expect(await link('')).toContain('Nothing was linked.');
    expect(await run(['links'])).toContain('No project is linked.');
    expect(await link('off\n')).toContain('are not captured');
  });

  it('is asked once for a vault, and never of a script', async () => {
    const unasked = await run([...LINK, '--project', project, '--vault', vault]);
    expect(unasked).not.toContain('What may be kept');
    expect(await link('')).not.toContain('What may be kept');
    expect(await link('', '--capture', 'all')).not.toContain('What may be kept');
    const second = join(home, 'second');
    cpSync(vault, second, { recursive: true });
    expect(await linkTo(second, 'task\n')).toContain('What may be kept');
    expect(await linkTo(second, '')).not.toContain('What may be kept');
  });

  it('is told by connect --hooks, with the command that answers it', async () => {
    const connect = () => run(['connect', 'claude-code', '--hooks', '--vault', vault]);
    expect(await connect()).toMatch(/--vault \S+ --capture all\n/);
    await save(vault, 'other');
    const text = await connect();
    expect(text).toContain(captureQuestion(['task', 'all', 'off']));
    expect(text).toMatch(/ link --workspace NAME --vault \S+ --capture task\n/);
  });
});
