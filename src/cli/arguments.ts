import { didYouMean } from '../model/names.js';
import { ALIASES, commandNamed } from './command-table.js';
import { optionName, type Options, type ParsedCommand } from './options.js';
import type { ProgramHost } from './program.js';
import { UsageError } from './usage-error.js';

/** Parses the arguments after the program's name. Throws a `UsageError`. */
export function readCommand(
  args: readonly string[],
  parseArgs: ProgramHost['parseArgs'],
): ParsedCommand {
  const [first, ...rest] = args;
  if (first === undefined) throw new UsageError('No command given.');
  const name = Object.hasOwn(ALIASES, first) ? ALIASES[first]! : first;
  const found = commandNamed(name);
  if (asksForHelp(rest)) return commandNamed('help').parse('help', [name], {});
  const argsWithPort = 'http' in found.options ? withDefaultPort(rest) : rest;
  const { values, positionals } = parseOptions(name, argsWithPort, found.options, parseArgs);
  if (positionals.length > found.maxWords)
    throw new UsageError(
      `Unexpected argument "${positionals.at(-1)}" for ${name}. If the path contains spaces, put it in quotes.`,
    );
  return found.parse(name, positionals, values);
}

/** Returns true if `--help` or `-h` is an option. After `--`, they are words. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const options = end < 0 ? args : args.slice(0, end);
  return options.some((arg) => ALIASES[arg] === 'help');
}

function parseOptions(
  command: string,
  args: string[],
  options: Options,
  parseArgs: ProgramHost['parseArgs'],
) {
  const config = Object.fromEntries(
    Object.entries(options).map(([key, { isFlag }]) => [
      optionName(key),
      { type: isFlag ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  try {
    return parseArgs({ args, options: config, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(optionProblem(command, error, Object.keys(options).map(optionName)));
  }
}

/** Explains an error of `parseArgs`, which quotes the option, such as `'--vault <value>'`. */
function optionProblem(command: string, error: unknown, known: readonly string[]): string {
  const message = error instanceof Error ? error.message : '';
  const option = /'(?:-\w, )?(--?[^' ]*)/.exec(message)?.[1];
  if (option === undefined) return `The options of ${command} cannot be parsed.`;
  if (message.startsWith('Unknown option')) {
    const candidates = known.map((name) => `--${name}`);
    return `Unknown option "${option}" for ${command}.${didYouMean(option, candidates)}`;
  }
  if (message.includes('does not take an argument')) return `Option "${option}" takes no value.`;
  return `Option "${option}" needs a value.`;
}

/** Adds port 0 to an option `--http` without a port. */
function withDefaultPort(args: readonly string[]): string[] {
  return args.map((arg, at) =>
    arg === '--http' && !/^\d+$/.test(args[at + 1] ?? '') ? '--http=0' : arg,
  );
}
