import { Refusal } from '../model/refusal.js';
import { errorCode } from '../node/modules.js';
import { readCommand } from './arguments.js';
import { COMMANDS } from './command-table.js';
import type { ProgramHost } from './program.js';
import { asTyped } from './texts/typed-command.js';
import { UsageError } from './usage-error.js';

/** Runs one command and returns its exit code: 0 success, 1 failure, 2 wrong usage. */
export async function runCommand(args: readonly string[], program: ProgramHost): Promise<number> {
  // The reader of the output may have seen enough, as "head" has.
  for (const stream of [program.stdout, program.stderr])
    stream.on('error', (error) => {
      if (errorCode(error) !== 'EPIPE') throw error;
    });
  try {
    return await readCommand(args, program.parseArgs).run(program);
  } catch (error) {
    if (error instanceof UsageError) {
      program.stderr.write(asTyped(program, `${error.message}\n${nextStep(args[0])}\n`));
      return args[0] === 'hook' ? 0 : 2; // clients react to a failed hook
    }
    const problem = error instanceof Refusal ? error.message : diskProblem(error);
    if (problem === undefined) throw error;
    program.stderr.write(asTyped(program, `${await inShellTerms(problem)}\n`));
    return 1;
  }
}

const DISK_CODES = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC'];

/** Returns what to do about a folder or file that cannot be written; undefined for other errors. */
function diskProblem(error: unknown): string | undefined {
  const code = errorCode(error);
  if (code === undefined || !DISK_CODES.includes(code)) return undefined;
  const path = error instanceof Error && 'path' in error ? `"${String(error.path)}"` : 'A file';
  return `${path} cannot be written (${code}). Check its permissions and the space on the disk, or choose another folder for this device's data with --state.`;
}

const LISTS = ['listWorkspaces', 'listStates'];

/** Replaces the tools that messages about unknown names advise by the commands that call them. */
async function inShellTerms(text: string): Promise<string> {
  if (!LISTS.some((tool) => text.includes(tool))) return text;
  const { adviceFor } = await import('../toolkit/answer.js');
  return adviceFor(text, new Map(LISTS.map((tool) => [tool, `"savepoint call ${tool}"`])));
}

function nextStep(command = ''): string {
  return Object.hasOwn(COMMANDS, command)
    ? `Run "savepoint help ${command}" for its usage.`
    : 'Run "savepoint help" for the list of commands.';
}
