import { stateText } from '../../../model/state.js';
import { sha256 } from '../../../platform/sha256.js';
import type { RuleFinding } from './findings.js';
import { READ_BATCH_SIZE, type RuleContext } from './rule-context.js';

/** Finds states whose content does not match their SHA-256. */
export async function* findBrokenHashes({
  states,
  checkpoint,
}: RuleContext): AsyncGenerator<RuleFinding> {
  const all = await states();
  for (let from = 0; from < all.length; from += READ_BATCH_SIZE) {
    await checkpoint();
    const batch = all.slice(from, from + READ_BATCH_SIZE);
    const hashes = await Promise.all(batch.map(({ item }) => sha256(stateText(item))));
    for (const [at, { item, displayName }] of batch.entries()) {
      if (hashes[at] === item.sha) continue;
      yield {
        severity: 'error',
        where: displayName,
        what: 'The content of the state does not match its hash: it is not what was saved.',
        fix: 'Do not rely on this state, check who has write access to the vault, and save the correct content under a new name.',
      };
    }
  }
}
