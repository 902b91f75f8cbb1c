import { Refusal } from '../model/refusal.js';
import { errorCode } from '../node/modules.js';
import { readCommand } from './arguments.js';
import { COMMANDS } from './command-table.js';
import { diskAdvice, diskCode } from './texts/disk-problem.js';
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
    const isExpected = error instanceof Refusal || diskCode(error) !== undefined;
    if (!(error instanceof Error) || !isExpected) throw error;
    const problem = await inShellTerms(diskAdvice(error.message));
    program.stderr.write(asTyped(program, `${problem}\n`));
    return 1;
  }
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
