import { CAPTURE_LEVELS, TELL_LEVELS } from '../capture/consent.js';
import { findApp, idsWith, type AppWith } from '../apps/index.js';
import { expandedValue } from '../node/environment.js';
import { SURFACES } from '../toolkit/surfaces.js';
import { FORGET_KINDS } from '../storage/index.js';
import { PROGRAMS } from '../transfer/foreign/foreign-memory.js';
import type { ProgramHost } from './program.js';
import type { HelpText } from './texts/help-texts.js';
import { UsageError } from './usage-error.js';

const EXPORT_FORMATS = ['jsonl', 'notes'] as const;

/** `jsonl`: every line, for a later import. `notes`: Markdown, for people. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const RESTORE_KINDS = ['state', 'record', 'conversation', 'workspace'] as const;

/** Kind of an item that can be archived. */
export type RestoreKind = (typeof RESTORE_KINDS)[number];

const MAX_PORT = 65_535;

/** An option of a command, such as `--vault DIR`. */
export interface Option<T> {
  readonly isFlag: boolean;
  /** Converts the value; undefined if the option is absent. Throws a `UsageError`. */
  readonly parse: (value: string | undefined, command: string) => T;
}

/** The words of a command that are not options. */
export interface Words<T> {
  readonly max: number;
  /** Throws a `UsageError` if words are missing or wrong. */
  readonly parse: (words: readonly string[]) => T;
}

export type Options = Readonly<Record<string, Option<unknown>>>;
/** What a command gets for its options. */
export type OptionValues<O extends Options> = {
  readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never;
};

/** Runs a command, and resolves to its exit code. */
type Run<Values> = (values: Values, program: ProgramHost) => Promise<number>;

/** A row of the table of commands. */
interface CommandSpec<W extends object, O extends Options> extends HelpText {
  /** None if absent. */
  readonly words?: Words<W>;
  /** Options by name in camel case: `readOnly` is `--read-only`. */
  readonly options: O;
  /** Imports what runs the command. */
  readonly load: () => Run<W & OptionValues<O>> | Promise<Run<W & OptionValues<O>>>;
}

export interface ParsedCommand {
  readonly name: string;
  readonly values: object;
  readonly run: (program: ProgramHost) => Promise<number>;
}

export interface Command extends HelpText {
  readonly options: Options;
  readonly maxWords: number;
  readonly parse: (
    name: string,
    words: readonly string[],
    values: Readonly<Record<string, string | boolean | undefined>>,
  ) => ParsedCommand;
}

export const flag: Option<boolean> = { isFlag: true, parse: (value) => value !== undefined };

export const text = option((value) => value);

/** A path that a client may leave empty or unexpanded. */
export const optionalPath = option(expandedValue);

export const vault = required('--vault DIR, the folder that contains your notes');

export const surface = optionalOneOf('surface', SURFACES);

export const exportFormat = oneOf('format', EXPORT_FORMATS, 'jsonl');

export const forgetKind = oneOf('kind', FORGET_KINDS, 'state');

export const restoreKind = oneOf('kind', RESTORE_KINDS, 'state');

export const sourceProgram = optionalOneOf('program', PROGRAMS);

export const toldLevel = optionalOneOf('value', TELL_LEVELS);

const level = optionalOneOf('value', CAPTURE_LEVELS);

/** `on` is `all`. */
export const captureLevel = option((value, command) =>
  level.parse(value === 'on' ? 'all' : value, command),
);

/** 0 selects any free port. */
export const port = number(
  'port',
  (text) => /^\d+$/.test(text) && Number(text) <= MAX_PORT,
  `0 to ${MAX_PORT}`,
);

/** The tool checks the upper bound. */
export const limit = number('limit', (text) => /^[1-9]\d{0,2}$/.test(text), '1 to 200');

/** A number of tokens. The tool checks the upper bound. */
export const budget = number(
  'budget',
  (text) => /^[1-9]\d{0,5}$/.test(text),
  'a number of tokens, such as 800',
);

/** Creates a required option. `description` is its syntax and meaning, for the error message. */
export function required(description: string): Option<string> {
  return option((value, command) => {
    if (value !== undefined && value !== '') return value;
    throw new UsageError(`${command} needs ${description}.`);
  });
}

/** Requires one word, returned under the given name. `hint` is the error without it. */
export function oneWord<K extends string>(name: K, hint: string): Words<Record<K, string>> {
  return {
    max: 1,
    parse([word]) {
      if (word === undefined || word === '') throw new UsageError(hint);
      return { [name]: word } as Record<K, string>;
    },
  };
}

/** Allows one word, returned under the given name; undefined if absent. */
export function optionalWord<K extends string>(name: K): Words<Partial<Record<K, string>>> {
  return {
    max: 1,
    parse: ([word]) => ({ [name]: word }) as Partial<Record<K, string>>,
  };
}

export const queryWords: Words<{ readonly query: string }> = {
  max: Infinity,
  parse(words) {
    const query = words.join(' ');
    if (query.trim() === '')
      throw new UsageError(
        'No query given. Example: savepoint search "token refresh" --vault DIR.',
      );
    return { query };
  },
};

export const clientWords: Words<{ readonly clients: readonly AppWith<'config'>[] }> = {
  max: Infinity,
  parse: (words) => ({ clients: words.map(parseClient) }),
};

function parseClient(word: string): AppWith<'config'> {
  const found = findApp('config', word);
  if (found) return found;
  throw new UsageError(`Unknown client "${word}". Valid: ${idsWith('config').join(', ')}.`);
}

function option<T>(parse: Option<T>['parse']): Option<T> {
  return { isFlag: false, parse };
}

function oneOf<T extends string>(what: string, valid: readonly T[], byDefault: T): Option<T> {
  const { parse } = optionalOneOf(what, valid);
  return option((value, command) => parse(value, command) ?? byDefault);
}

/** Undefined if absent. */
function optionalOneOf<T extends string>(what: string, valid: readonly T[]): Option<T | undefined> {
  return option((value) => {
    const found = valid.find((each) => each === value);
    if (value === undefined || found) return found;
    throw new UsageError(`Unknown ${what} "${value}". Valid: ${valid.join(', ')}.`);
  });
}

/** Undefined if absent. `use` says in the error message what is valid. */
function number(what: string, isValid: (text: string) => boolean, use: string) {
  return option((value): number | undefined => {
    if (value === undefined) return undefined;
    if (isValid(value)) return Number(value);
    throw new UsageError(`Invalid ${what} "${value}": use ${use}.`);
  });
}

/** Converts `readOnly` to `read-only`. */
export function optionName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function command<W extends object, O extends Options>(spec: CommandSpec<W, O>): Command {
  return {
    syntax: spec.syntax,
    help: spec.help,
    options: spec.options,
    maxWords: spec.words?.max ?? 0,
    parse(name, words, given) {
      const parsedWords = spec.words?.parse(words);
      const parsedOptions = Object.fromEntries(
        Object.entries(spec.options).map(([key, { parse }]) => {
          const value = given[optionName(key)];
          return [key, parse(typeof value === 'boolean' ? '' : value, name)];
        }),
      );
      const values = { ...parsedWords, ...parsedOptions } as W & OptionValues<O>;
      const run = async (program: ProgramHost) => (await spec.load())(values, program);
      return { name, values, run };
    },
  };
}
