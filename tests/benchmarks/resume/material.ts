import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { Connected } from '../peers.js';

/** A workspace as `createWorkspace` takes it. */
export interface WorkspaceParams {
  readonly name: string;
  readonly description: string;
  readonly rootFolder: string;
  readonly purpose: string;
}

/** A state as `createState` takes it. */
export type StateParams = Readonly<Record<string, string | readonly string[]>> & {
  readonly name: string;
};

/** A save of one piece of work. */
export interface Save {
  readonly piece: string;
  readonly workspace: string;
  readonly state: StateParams;
}

/** Reads material from this folder. It was written before the code that it measures. */
export async function readMaterial<T>(name: string): Promise<T> {
  return JSON.parse(await fs.readFile(path.resolve('tests/benchmarks/resume', name), 'utf8')) as T;
}

/** Returns the texts of a state: its name, and each text and entry of its other fields. */
export function textsOf(state: StateParams): string[] {
  return Object.values(state).flatMap((value) => value);
}

export function tokensIn(text: string): number {
  return encode(text).length;
}

export function contains(answer: string, literal: string): boolean {
  return answer.toLowerCase().includes(literal.toLowerCase());
}

/** Counts the calls of a server, and the tokens of their answers. */
export class Meter {
  calls = 0;
  tokens = 0;
  readonly #server: Connected;

  constructor(server: Connected) {
    this.#server = server;
  }

  async call(tool: string, params: Record<string, unknown>): Promise<string> {
    const answer = await this.#server.call(tool, params);
    this.calls++;
    this.tokens += tokensIn(answer);
    return answer;
  }
}

/** Returns the saves as entities of server-memory, one per piece, with their texts. */
export function entitiesOf(saves: readonly Save[]): Record<string, unknown>[] {
  const observations = new Map<string, string[]>();
  for (const { piece, state } of saves)
    observations.set(piece, [...(observations.get(piece) ?? []), ...textsOf(state)]);
  return [...observations].map(([name, texts]) => ({
    name,
    entityType: 'piece of work',
    observations: texts,
  }));
}
