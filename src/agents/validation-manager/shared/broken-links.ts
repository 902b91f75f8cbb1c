import { isHidden } from '../../../model/paths.js';
import { clip } from '../../../model/refusal.js';
import { pathKey, readLinks } from '../../../search/index.js';
import type { RuleFinding } from './findings.js';
import type { RuleContext } from './rule-context.js';

/** Finds links and embeds whose target does not exist, in the notes of the scope. */
export async function* findBrokenLinks(context: RuleContext): AsyncGenerator<RuleFinding> {
  const known = await context.targets();
  for await (const { path, folder, text } of context.texts(await context.notes())) {
    const reported = new Set<string>();
    for (const link of readLinks(text)) {
      if (!link) {
        await context.checkpoint();
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
