import { readFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import { DEFAULT_BRIEF_TOKENS } from '../../src/brief/brief.js';
import { briefIn, type Situation } from './situation-vault.js';

const { situations } = JSON.parse(
  readFileSync(new URL('situations.json', import.meta.url), 'utf8'),
) as { situations: readonly Situation[] };

/** Matches a line that offers something as a task to its reader. */
const TASK = /^(?:Task|(?:Interrupted|Last session|Take over)[^:]*(?::\d\d[^:]*)?): (.*)$/i;

/** Returns what is wrong with a brief. */
function faultsOf(situation: Situation, brief: string): string[] {
  const { needed, forbidden = [], answerNeeds = [], events } = situation;
  const plain = (text: string) => text.replaceAll('\\"', '"').replace(/\s+/gu, ' ');
  const lines = brief.split('\n').map((line) => plain(line.replace(/^> /, '')));
  const shows = (text: string) => lines.join(' ').includes(plain(text));
  const tasks = lines.flatMap((line) => TASK.exec(line)?.[1] ?? []);
  const turns = events.flatMap((event) => (event.kind === 'session' ? event.turns : []));
  const requests = turns.map(([request]) => request);
  const offers = (text: string) =>
    tasks.some(
      (task) => task === plain(text) || (!requests.includes(text) && task.startsWith(plain(text))),
    );
  return [
    ...([needed].flat().some(shows) ? [] : [`lacks ${JSON.stringify(needed)}`]),
    ...forbidden.filter(offers).map((text) => `offers "${text}"`),
    ...answerNeeds
      .filter(({ answer, request }) => shows(answer) && !shows(request))
      .map(({ request }) => `answers without "${request}"`),
    ...(encode(brief).length > DEFAULT_BRIEF_TOKENS ? ['is too long'] : []),
  ];
}

it.each(situations)('the brief has what a successor needs most: $title', async (situation) => {
  expect(faultsOf(situation, await briefIn(situation))).toEqual([]);
});
