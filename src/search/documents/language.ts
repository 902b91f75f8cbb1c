import { detectLanguage } from '../text/languages.js';
import type { Passage } from './documents.js';

const SAMPLED_PASSAGES = 4;
/** Code units sampled of each text. */
const SAMPLED_LENGTH = 600;

/** Cached, because a document is both indexed and embedded. */
const detected = new WeakMap<readonly Passage[], number>();

/** Detects a document's language from the start of each text of its first passages. */
export function languageOf(passages: readonly Passage[]): number {
  const language = detected.get(passages) ?? detectLanguage(sampleOf(passages));
  detected.set(passages, language);
  return language;
}

function sampleOf(passages: readonly Passage[]): string {
  return passages
    .slice(0, SAMPLED_PASSAGES)
    .flatMap((passage) => passage.map(({ text }) => text.slice(0, SAMPLED_LENGTH)))
    .join('\n');
}
