import { ALIASES, COMMANDS, type Options, type ParsedCommand } from './command-table.js';
import { optionName } from './options.js';
import type { ProgramHost } from './program.js';
import { UsageError } from './usage-error.js';

/** Former names of options, each with the release that drops it. */
export const DEPRECATED_OPTIONS = Object.values(COMMANDS).flatMap(({ options }) =>
  Object.values(options).flatMap(({ deprecatedAlias }) => deprecatedAlias ?? []),
);

/** Parses the arguments after the program's name. Throws a `UsageError`. */
export function readCommand(
  args: readonly string[],
  parseArgs: ProgramHost['parseArgs'],
): ParsedCommand {
  const [first, ...rest] = args;
  if (first === undefined) throw new UsageError('No command given.');
  const name = Object.hasOwn(ALIASES, first) ? ALIASES[first]! : first;
  const found = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!found) throw new UsageError(`Unknown command "${first}".`);
  const argsWithPort = 'http' in found.options ? withDefaultPort(rest) : rest;
  const { values, positionals } = parseOptions(argsWithPort, found.options, parseArgs);
  if (positionals.length > found.maxWords)
    throw new UsageError(
      `Unexpected argument "${positionals.at(-1)}" for ${name}. If the path contains spaces, put it in quotes.`,
    );
  return found.parse(name, positionals, values);
}

function parseOptions(args: string[], options: Options, parseArgs: ProgramHost['parseArgs']) {
  const config = Object.fromEntries(
    Object.entries(options).flatMap(([key, { isFlag, deprecatedAlias: alias }]) => {
      const type = { type: isFlag ? 'boolean' : 'string' } as const;
      return [optionName(key), ...(alias ? [alias.name] : [])].map((name) => [name, type]);
    }),
  ) as Record<string, { type: 'boolean' | 'string' }>;
  try {
    return parseArgs({ args, options: config, allowPositionals: true, strict: true });
  } catch (error) {
    const [sentence] = error instanceof Error ? error.message.split('. ') : [];
    throw new UsageError(sentence === undefined ? 'The options cannot be parsed.' : `${sentence}.`);
  }
}

/** Adds port 0 to an option `--http` without a port. */
function withDefaultPort(args: readonly string[]): string[] {
  return args.map((arg, at) =>
    arg === '--http' && !/^\d+$/.test(args[at + 1] ?? '') ? '--http=0' : arg,
  );
}
