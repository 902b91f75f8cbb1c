import { recall } from '../../src/brief/recall/recall.js';
import {
  indexOf,
  ordinaryPrompts,
  ruleSources,
  statedRules,
  vaultSet,
  vaultSources,
} from '../brief/recall/recall-sets.js';
import type { Figure } from './lib.js';

export const question =
  'At which confidence is a prompt told something right, something wrong, or nothing?';
export const measures = ['src/brief', 'src/model', 'src/platform', 'src/search'];

/** 1 is the bound in use. */
const BOUNDS = [0.6, 0.8, 1, 1.25, 1.5, 2];

export function answer(): Promise<Figure[]> {
  const rules = indexOf(ruleSources());
  const vault = indexOf(vaultSources());
  const figures = BOUNDS.flatMap((bound): Figure[] => {
    const toldIn = (memory: typeof rules, prompt: string) =>
      recall(prompt, memory, { session: '' }, bound).map(({ id }) => id);
    const stated = statedRules.filter(({ prompt }, at) =>
      toldIn(rules, prompt).includes(String(at)),
    );
    const ordinary = ordinaryPrompts.filter((prompt) =>
      [rules, vault].some((memory) => toldIn(memory, prompt).length > 0),
    );
    const asked = vaultSet.prompts.map(({ prompt, right }) => {
      const ids = toldIn(vault, prompt);
      return {
        isDue: right.length > 0,
        told: ids.length,
        isRight: ids.some((id) => right.includes(id)),
      };
    });
    const share = (count: number, of: number) => (100 * count) / of;
    const due = asked.filter(({ isDue }) => isDue);
    const others = asked.filter(({ isDue }) => !isDue);
    const at = `bound ${bound}`;
    return [
      {
        what: `${at}: stated rules told at a later prompt`,
        value: share(stated.length, 16),
        unit: ' %',
        ...(bound === 1 && { least: 93.75 }),
      },
      {
        what: `${at}: ordinary prompts at which anything is told`,
        value: share(ordinary.length, 200),
        unit: ' %',
        ...(bound === 1 && { limit: 1 }),
      },
      {
        what: `${at}: paraphrased questions in a vault told right`,
        value: share(due.filter(({ isRight }) => isRight).length, due.length),
        unit: ' %',
      },
      {
        what: `${at}: other prompts in that vault told anything`,
        value: share(others.filter(({ told }) => told > 0).length, others.length),
        unit: ' %',
      },
    ];
  });
  return Promise.resolve(figures);
}
