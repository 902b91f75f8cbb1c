import * as fs from 'node:fs/promises';
import { runToEnd } from '../src/platform/run-sliced.js';
import { openEmbedderSteps } from '../src/search/vectors/embedder.js';
import { mentionedDates } from '../src/search/text/dates.js';
import { createSearch } from './meaning/all-modes.js';
import { keysOf, mean, MEMORY_OPTIONS, readConversations, readStoredConversations, recall } from './meaning/judged.js';
export const question = 'scratch';
export async function answer() {
  const embedder = runToEnd(openEmbedderSteps(await fs.readFile('assets/meaning.txt', 'utf8')));
  for (const [name, cs] of [['locomo', readConversations()], ['realtalk', readStoredConversations('memory-realtalk-first3.json')], ['beam', readStoredConversations('memory-beam-first5.json.gz')]] as const) {
    const all: number[] = [], dated: number[] = [], kw: number[] = [];
    for (const c of cs) { const search = createSearch(c.documents, embedder, MEMORY_OPTIONS);
      for (const { text, grades } of c.queries) { const r = search(text); const v = recall(keysOf(r.hybrid), grades, 10); all.push(v); kw.push(recall(keysOf(r.keyword), grades, 10)); if (mentionedDates(text, Date.now())) { dated.push(v); if (process.env['SHOW']) console.log(text); } } }
    if (1) { const r5 = cs.flatMap((c) => { const s = createSearch(c.documents, embedder, MEMORY_OPTIONS); return c.queries.map(({text, grades}) => recall(keysOf(s(text).hybrid), grades, 5)); }); console.log(name, "R@5", mean(r5).toFixed(4)); } console.log(name, process.env['XD'], process.env['XL'], 'hybrid', mean(all).toFixed(4), 'keyword', mean(kw).toFixed(4), 'dated', dated.length, mean(dated).toFixed(4));
  }
  return [];
}
