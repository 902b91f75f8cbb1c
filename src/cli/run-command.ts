import { Refusal } from '../model/refusal.js';
import { optionOf } from '../node/client-setup/entries.js';
import { errorCode } from '../node/modules.js';
import { shellQuoted } from '../node/shell-quoted.js';
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
    const problem = await inShellTerms(diskAdvice(error.message), program.args);
    program.stderr.write(asTyped(program, `${problem}\n`));
    return 1;
  }
}

const LISTS = ['listWorkspaces', 'listStates'];
/** A call that a message advises, such as `searchDirectory with query "Plan"`. */
const CALL = /\b([a-z]+[A-Z]\w*) with ((?:\w+ "[^"]*"(?: and )?)+)/g;

/** Replaces the calls of tools that messages advise by the commands that make them. */
async function inShellTerms(message: string, args: readonly string[]): Promise<string> {
  const vault = optionOf(args, 'vault');
  const place = vault === undefined ? '' : ` --vault ${shellQuoted(vault)}`;
  const text = message.replace(CALL, (_, tool: string, given: string) => {
    const params = Array.from(
      given.matchAll(/\b(\w+) ("[^"]*")/g),
      ([, name, value]) => `"${name}":${value}`,
    );
    return `\`savepoint call ${tool}${place} --json '{${params.join(',').replaceAll("'", `'\\''`)}}'\``;
  });
  if (!LISTS.some((tool) => text.includes(tool))) return text;
  const { adviceFor } = await import('../toolkit/answer.js');
  return adviceFor(text, new Map(LISTS.map((tool) => [tool, `"savepoint call ${tool}"`])));
}

function nextStep(command = ''): string {
  return Object.hasOwn(COMMANDS, command)
    ? `Run "savepoint help ${command}" for its usage.`
    : 'Run "savepoint help" for the list of commands.';
}
