import { prepareFuzzySearch } from 'obsidian';
import type { AgentCommand } from '../../../../acp/session-settings.js';
import type { Attachment } from '../../attachments.js';
import { chatTools } from '../../chat-tools.js';
import { Scheduler } from '../../../../platform/scheduler.js';
import { yieldToHost } from '../../../host/browser-ports.js';
import type { Savepoint } from '../../../savepoint.js';
import { isOffered } from '../../../ui/forms/offered-path.js';
import { stateCandidates } from '../../../pickers/candidates.js';
import type { Trigger } from './triggers.js';

/** A note, state, tool or command of the agent, offered while the user types. */
export interface Suggestion {
  readonly key: string;
  readonly icon: string;
  readonly title: string;
  readonly note: string;
  readonly pick:
    { readonly attach: Attachment } | { readonly tool: string } | { readonly command: string };
}

const MAX_SUGGESTIONS = 20;

/**
 * Returns the suggestions for a trigger in a conversation of the workspace, best match first.
 * `commands` are those of its agent.
 */
export async function findSuggestions(
  savepoint: Savepoint,
  workspaceId: string,
  { kind, query }: Trigger,
  commands: readonly AgentCommand[],
): Promise<Suggestion[]> {
  switch (kind) {
    case 'note':
      return bestMatches(noteSuggestions(savepoint), query);
    case 'state':
      return bestMatches(await stateSuggestions(savepoint, workspaceId), query);
    case 'tool':
      return bestMatches([...commandSuggestions(commands), ...toolSuggestions(savepoint)], query);
  }
}

function noteSuggestions(savepoint: Savepoint): Suggestion[] {
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

async function stateSuggestions(
  { memory, clock }: Savepoint,
  workspaceId: string,
): Promise<Suggestion[]> {
  const scheduler = new Scheduler(clock, yieldToHost);
  const candidates = await stateCandidates(memory.get(), workspaceId, false, scheduler);
  return candidates.map(({ item: { item, displayName }, notes: [workspaceName = ''] }) => ({
    key: item.id,
    icon: 'bookmark',
    title: displayName,
    note: workspaceName,
    pick: {
      attach: {
        kind: 'state' as const,
        id: item.id,
        name: displayName,
        workspaceId: item.workspaceId,
      },
    },
  }));
}

function commandSuggestions(commands: readonly AgentCommand[]): Suggestion[] {
  return commands.map(({ name, description }) => ({
    key: `command:${name}`,
    icon: 'terminal',
    title: `/${name}`,
    note: description,
    pick: { command: name },
  }));
}

function toolSuggestions(savepoint: Savepoint): Suggestion[] {
  return chatTools(savepoint).map(({ name, title }) => ({
    key: name,
    icon: 'wrench',
    title: `/${name}`,
    note: title,
    pick: { tool: name },
  }));
}

/**
 * Returns the suggestions that match the query, best first; without a query, the first ones in the
 * given order.
 */
function bestMatches(suggestions: readonly Suggestion[], query: string): Suggestion[] {
  if (query.trim() === '') return suggestions.slice(0, MAX_SUGGESTIONS);
  const match = prepareFuzzySearch(query.trim());
  const matches: { suggestion: Suggestion; score: number }[] = [];
  for (const suggestion of suggestions) {
    const { title, note } = suggestion;
    const result = match(title) ?? match(`${title} ${note}`);
    if (result) matches.push({ suggestion, score: result.score });
  }
  return matches
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ suggestion }) => suggestion);
}
