import { commandInProcess } from '../fakes/in-process.js';
import { runProgram, temporaryFolder, type RunResult } from '../fakes/program.js';

/** A vault and the state folder of a device. */
export interface TestFolders {
  readonly vault: string;
  readonly state: string;
}

export function createFolders(): TestFolders {
  return { vault: temporaryFolder(), state: temporaryFolder('state') };
}

/** Runs `savepoint call` with the parameters as JSON. */
export function callProgram(
  { vault, state }: TestFolders,
  tool: string,
  params: unknown,
  ...more: string[]
): Promise<RunResult> {
  const json = JSON.stringify(params);
  return runProgram(['call', tool, '--vault', vault, '--state', state, '--json', json, ...more]);
}

/** Does what `callProgram` does, in this process. */
export function callInProcess(
  { vault, state }: TestFolders,
  tool: string,
  params: unknown,
  ...more: string[]
): Promise<RunResult> {
  const json = JSON.stringify(params);
  const where = ['--vault', vault, '--state', state];
  return commandInProcess(['call', tool, ...where, '--json', json, ...more]);
}

/** Returns the first word of each line. */
export function firstWords(stdout: string): (string | undefined)[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[0]);
}
