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

type Call = readonly [folders: TestFolders, tool: string, params: unknown, ...more: string[]];

/** Runs `savepoint call` with the parameters as JSON. */
export function callProgram(...call: Call): Promise<RunResult> {
  return runProgram(callArguments(...call));
}

/** Does what `callProgram` does, in this process. */
export function callInProcess(...call: Call): Promise<RunResult> {
  return commandInProcess(callArguments(...call));
}

function callArguments(...[{ vault, state }, tool, params, ...more]: Call): string[] {
  const json = JSON.stringify(params);
  return ['call', tool, '--vault', vault, '--state', state, '--json', json, ...more];
}

/** Returns the first word of each line. */
export function firstWords(stdout: string): (string | undefined)[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[0]);
}
