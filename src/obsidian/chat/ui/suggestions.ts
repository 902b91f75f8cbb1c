import { prepareFuzzySearch } from 'obsidian';
import type { Attachment } from '../attachments.js';
import { chatTools } from '../conversation-controller.js';
import { Scheduler } from '../../../platform/scheduler.js';
import { yieldToHost } from '../../host/browser-ports.js';
import type { Savepoint } from '../../savepoint.js';
import { isOffered } from '../../ui/forms/text-suggest.js';
import { readLibrary } from '../../memory/library.js';
import type { Trigger } from './triggers.js';

/** One thing that can be picked while somebody types. */
export interface Suggestion {
  readonly key: string;
  readonly icon: string;
  readonly title: string;
  readonly note: string;
  readonly pick: { readonly attach: Attachment } | { readonly tool: string };
}

const MOST_OFFERS = 20;

/** What fits what is typed, the best first. */
export async function findSuggestions(savepoint: Savepoint, { kind, query }: Trigger): Promise<Suggestion[]> {
  switch (kind) {
    case 'note':
      return best(noteOffers(savepoint), query);
    case 'state':
      return best(await stateOffers(savepoint), query);
    case 'tool':
      return best(toolOffers(savepoint), query);
  }
}

function noteOffers(savepoint: Savepoint): Suggestion[] {
  const files = savepoint.app.vault
    .getMarkdownFiles()
    .filter(({ path }) => isOffered(savepoint, path));
  return files
    .sort((a, b) => b.stat.mtime - a.stat.mtime)
    .map(({ path, basename, parent }) => ({
      key: path,
      icon: 'file-text',
      title: basename,
      note: parent === null || parent.path === '/' ? '' : parent.path,
      pick: { attach: { kind: 'note' as const, path } },
    }));
}

async function stateOffers({ memory, clock, workspaceId }: Savepoint): Promise<Suggestion[]> {
  const library = await readLibrary(memory.get(), new Scheduler(clock, yieldToHost));
  const own = workspaceId.get();
  const sections = [...library].sort((a, b) => Number(b.id === own) - Number(a.id === own));
  return sections.flatMap((section) =>
    section.states
      .filter(({ item }) => !item.isArchived)
      .map(({ item, displayName }) => ({
        key: item.id,
        icon: 'bookmark',
        title: displayName,
        note: section.workspace?.displayName ?? '',
        pick: {
          attach: {
            kind: 'state' as const,
            id: item.id,
            name: displayName,
            workspaceId: section.id,
          },
        },
      })),
  );
}

function toolOffers(savepoint: Savepoint): Suggestion[] {
  return chatTools(savepoint).map(({ name, title }) => ({
    key: name,
    icon: 'wrench',
    title: `/${name}`,
    note: title,
    pick: { tool: name },
  }));
}

/** Without a query the first, as they come. */
function best(offers: readonly Suggestion[], query: string): Suggestion[] {
  if (query.trim() === '') return offers.slice(0, MOST_OFFERS);
  const fits = prepareFuzzySearch(query.trim());
  const found: { offer: Suggestion; score: number }[] = [];
  for (const offer of offers) {
    const fit = fits(offer.title) ?? fits(`${offer.title} ${offer.note}`);
    if (fit) found.push({ offer, score: fit.score });
  }
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_OFFERS)
    .map(({ offer }) => offer);
}
