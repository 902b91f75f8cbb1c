import { Refusal } from '../model/refusal.js';
import { redact } from '../redaction/index.js';
import type { Answer } from '../toolkit/answer.js';
import { diskAdvice, diskCode } from './texts/disk-problem.js';
import type { ProgramHost } from './program.js';
import { answerAsTyped, asTyped } from './texts/typed-command.js';

export function print({ stdout }: Pick<ProgramHost, 'stdout'>, text: string): void {
  stdout.write(text);
}

/** Prints a text of the program itself, whose commands work as typed. */
export function printMessage(
  program: Pick<ProgramHost, 'stdout' | 'node' | 'script' | 'args' | 'env'>,
  text: string,
): void {
  print(program, asTyped(program, text));
}

export function printJson(program: Pick<ProgramHost, 'stdout'>, value: unknown): void {
  print(program, `${JSON.stringify(value)}\n`);
}

/** Prints a tool's answer, with what the user must know besides on standard error. */
export function printAnswer(
  program: ProgramHost,
  given: Answer,
  { json, textOf }: { readonly json: boolean; readonly textOf: (data: never) => string },
): number {
  const answer = answerAsTyped(program, given);
  // also with an error: what has been told counts
  if (!json && answer.notice !== undefined) program.stderr.write(`savepoint: ${answer.notice}\n`);
  if (json) printJson(program, answer);
  else if (!answer.success) throw new Refusal(answer.error ?? 'The call failed.');
  else print(program, textOf(answer.data as never));
  return answer.success ? 0 : 1;
}

export function isTerminal({ stdin, stdout }: Pick<ProgramHost, 'stdin' | 'stdout'>): boolean {
  return stdin.isTTY && stdout.isTTY;
}

/** Asks for a line in the terminal. Resolves to undefined if the input ends without one. */
export function ask(
  { stdin, stdout }: Pick<ProgramHost, 'stdin' | 'stdout'>,
  question: string,
): Promise<string | undefined> {
  stdout.write(question);
  return new Promise((resolve) => {
    stdin.once('end', () => resolve(undefined));
    stdin.once('data', (data: Buffer | string) => {
      stdin.pause();
      resolve(data.toString().trim());
    });
    stdin.resume();
  });
}

export type Report = (problem: unknown) => void;

/** Writes to standard error for people, because standard output belongs to the result. */
export function createReport({ stderr }: Pick<ProgramHost, 'stderr'>): Report {
  return reportOnce((text) => stderr.write(`savepoint: ${text}\n`));
}

/** Writes a line of JSON per entry to standard error, for programs that read a server's log. */
export function createJsonReport({ stderr }: Pick<ProgramHost, 'stderr'>): Report {
  return reportOnce((message, isBug) => {
    const level = isBug ? 'error' : 'warning';
    const entry = { time: new Date().toISOString(), level, logger: 'savepoint', message };
    stderr.write(`${JSON.stringify(entry)}\n`);
  });
}

/** Reports a disk that cannot be written only once: everything after that fails likewise. */
function reportOnce(write: (text: string, isBug: boolean) => void): Report {
  const reported = new Set<string>();
  return (problem) => {
    const code = diskCode(problem);
    if (code !== undefined && reported.has(code)) return;
    if (code !== undefined) reported.add(code);
    const isBug = problem instanceof Error && !(problem instanceof Refusal) && code === undefined;
    const text = problem instanceof Error ? problem.message : String(problem);
    write(redact(isBug ? (problem.stack ?? text) : diskAdvice(text)), isBug);
  };
}
