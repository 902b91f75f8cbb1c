import { isHidden, type VaultPath } from '../../../model/paths.js';
import { clip } from '../../../model/refusal.js';
import { pathKey, readLinks } from '../../../search/index.js';
import type { RuleFinding } from './findings.js';
import { READ_BATCH_SIZE, type RuleContext } from './rule-context.js';

/** Finds links and embeds whose target does not exist, in the notes of the scope. */
export async function* findBrokenLinks(context: RuleContext): AsyncGenerator<RuleFinding> {
  const { source } = context.services.search.access;
  const notes = await context.notes();
  for (let from = 0; from < notes.length; from += READ_BATCH_SIZE) {
    const batch = notes.slice(from, from + READ_BATCH_SIZE);
    const texts = await Promise.all(batch.map(({ path }) => source.read(path)));
    for (const [at, { path }] of batch.entries())
      yield* findBrokenLinksIn(path, texts[at] ?? '', context);
  }
}

async function* findBrokenLinksIn(
  path: VaultPath,
  text: string,
  { targets, checkpoint }: RuleContext,
): AsyncGenerator<RuleFinding> {
  const known = await targets();
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const reported = new Set<string>();
  await checkpoint();
  for (const link of readLinks(text)) {
    if (!link) {
      await checkpoint();
      continue;
    }
    const { target, line } = link;
    const key = pathKey(target);
    if (reported.has(key) || known.has(target, folder) || isInHiddenFolder(target)) continue;
    reported.add(key);
    yield {
      severity: 'warning',
      where: path,
      line,
      what: `The target of the link "${clip(target)}" does not exist.`,
      fix: suggestFix(known.namesakeOf(target)),
    };
  }
}

/** Hidden files are not in the list of files, so links to them cannot be checked. */
function isInHiddenFolder(target: string): boolean {
  return isHidden(target.replace(/(?:^|\/)\.{1,2}(?=\/)/gu, ''));
}

function suggestFix(namesake: string | undefined): string {
  return namesake === undefined
    ? 'Create that note, or correct the link.'
    : `Link to "${clip(namesake, 200)}" if that is the intended file.`;
}
