import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  encodeRecallSteps,
  readRecall,
  type RecallIndex,
} from '../../../src/brief/recall/recall-index.js';
import { paragraphPassages } from '../../../src/brief/recall/passages.js';
import type { PassageKind, RecallSource } from '../../../src/brief/recall/sources.js';
import { runToEnd } from '../../../src/platform/run-sliced.js';
import { createEmbedderSource } from '../../../src/search/index.js';

const inThisFolder = (name: string) =>
  readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8');
const jsonIn = <T>(name: string) => JSON.parse(inThisFolder(name)) as T;
const table = inThisFolder('../../../assets/meaning.txt');

/** Returns an index of sources, as the background process makes it. */
export function indexOf(sources: readonly RecallSource[]): RecallIndex {
  const { rarityOf } = runToEnd(createEmbedderSource(table).openSteps());
  return readRecall(runToEnd(encodeRecallSteps(sources, rarityOf)))!;
}

/** Returns a source with passages of one kind. */
export function sourceOf(
  id: string,
  texts: readonly string[],
  { kind = 'said', at = '2026-01-01', files = [] }: SourceFacts = {},
): RecallSource {
  const passages = texts.flatMap(paragraphPassages).map((text) => ({ kind, text }));
  return { id, at, origin: '', files, failed: [], passages };
}

interface SourceFacts {
  readonly kind?: PassageKind;
  readonly at?: string;
  readonly files?: readonly string[];
}

interface StatedRule {
  readonly prompt: string;
  readonly said: readonly string[];
  /** Path in the project of what the prompt is about. */
  readonly file: string;
}

/** Rules that a person stated, each with a later prompt; the licence is in the same folder. */
export const statedRules = jsonIn<StatedRule[]>('sixteen-rules/rules.json');

/** Returns the sessions in which the rules were stated, and each applied to a file. */
export function ruleSources(): RecallSource[] {
  return statedRules.map(({ said, file }, at) => {
    const own = sourceOf(`${at}`, [...said, `Apply it to ${file} now.`], { files: [file] });
    const answers = [
      'Understood. I will apply this from now on.',
      'Done: the code follows it and the visible test passes.',
    ];
    const { passages } = sourceOf('', answers, { kind: 'answered' });
    return { ...own, passages: [...own.passages, ...passages] };
  });
}

/** Prompts in six languages that are about no particular fact. */
export const ordinaryPrompts = jsonIn<string[]>('ordinary-prompts.json');

interface VaultSet {
  readonly memory: {
    readonly sessions: readonly {
      readonly id: string;
      readonly date: string;
      readonly messages: readonly string[];
      readonly answers: readonly string[];
      readonly filesWritten: readonly string[];
    }[];
    readonly states: readonly {
      readonly id: string;
      readonly date: string;
      readonly name: string;
      readonly summary: string;
      readonly decisions: readonly string[];
      readonly rejected: readonly string[];
      readonly openQuestions: readonly string[];
      readonly nextSteps: readonly string[];
    }[];
  };
  readonly prompts: readonly {
    readonly prompt: string;
    /** Ids of what should be told; none for a prompt about which the memory knows nothing. */
    readonly right: readonly string[];
  }[];
}

/** A vault that is not about software, by somebody who had not seen the function. */
export const vaultSet = jsonIn<VaultSet>('vault-prompts.json');

export function vaultSources(): RecallSource[] {
  const { sessions, states } = vaultSet.memory;
  return [
    ...states.flatMap(({ id, date: at, name, ...state }) => [
      sourceOf(id, [`${name}: ${state.nextSteps[0] ?? ''}`, state.summary, ...state.rejected], {
        kind: 'state',
        at,
      }),
      ...state.decisions.map((text) => sourceOf(id, [text], { kind: 'decision', at })),
      ...state.openQuestions.map((text) => sourceOf(id, [text], { kind: 'question', at })),
    ]),
    ...sessions.map(({ id, date: at, messages, answers, filesWritten: files }): RecallSource => {
      const said = sourceOf(id, messages, { at, files });
      const { passages } = sourceOf(id, answers, { kind: 'answered' });
      return { ...said, passages: [...said.passages, ...passages] };
    }),
  ].sort((a, b) => (a.at < b.at ? 1 : -1));
}
