import { readFileSync } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import type { ProgramHost } from '../../src/cli/program.js';
import { runCommand } from '../../src/cli/run-command.js';
import { node } from '../node/folders.js';
import { PROGRAM } from './program.js';

const { version } = JSON.parse(readFileSync('manifest.json', 'utf8')) as { version: string };

/**
 * Runs a command of the program in this process, and returns what it prints and its exit code. In
 * a terminal, `input` is typed.
 */
export async function runInProcess(
  home: string,
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  input = '',
  isTTY = false,
): Promise<string> {
  const output = new PassThrough();
  const printed = output.setEncoding('utf8').toArray() as Promise<string[]>;
  Object.assign(output, { isTTY });
  const stdin = Object.assign(Readable.from(input === '' ? [] : [Buffer.from(input)]), { isTTY });
  const stream = output as unknown as ProgramHost['stdout'];
  const code = await runCommand(args, {
    version,
    args,
    file: PROGRAM,
    script: PROGRAM,
    node: { ...node, os: { ...node.os, homedir: () => home } },
    parseArgs,
    env,
    platform: process.platform,
    execPath: process.execPath,
    stdin: stdin as unknown as ProgramHost['stdin'],
    stdout: stream,
    stderr: stream,
    exit: () => undefined,
    onStop: () => undefined,
  });
  output.end();
  return `${(await printed).join('')}exit ${code}`;
}
