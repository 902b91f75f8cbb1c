import { prepareFuzzySearch, type TFile } from 'obsidian';
import type { ChatAgentCommand } from '../../../../acp/session-settings.js';
import type { Attachment } from '../../../host/composer-drafts.js';
import { chatTools } from '../../chat-tools.js';
import { Scheduler } from '../../../../platform/scheduler.js';
import { yieldToHost } from '../../../host/browser-ports.js';
import type { Savepoint } from '../../../savepoint.js';
import { isOffered } from '../../../ui/forms/offered-path.js';
import { stateCandidates } from '../../../pickers/candidates.js';
import { ownPrompts } from '../../own-prompts.js';
import { text } from '../../../i18n/index.js';
import { SLASH_ICONS, SLASH_WORDS, type SlashWord } from './slash-words.js';
import type { Trigger } from './triggers.js';

/** A note, state or slash command, offered while the user types. */
export interface Suggestion {
  readonly key: string;
  readonly icon: string;
  readonly title: string;
  readonly note: string;
  /** Found instead of the note; `''` if there is no other name. */
  readonly alias?: string;
  readonly pick: Picked | 'more';
}

/** Effect of a suggestion that is picked. */
export type Picked =
  | { readonly attach: Attachment }
  | { readonly tool: string }
  | { readonly command: string }
  | { readonly word: SlashWord }
  | { readonly prompt: TFile };

const MAX_SUGGESTIONS = 20;

/** Suggestions for a trigger, best first. `more` adds slash commands that an empty query omits. */
export async function findSuggestions(
  savepoint: Savepoint,
  workspaceId: string,
  { kind, query }: Trigger,
  commands: readonly ChatAgentCommand[],
  more = false,
): Promise<Suggestion[]> {
  switch (kind) {
    case 'note':
      return bestMatches(noteSuggestions(savepoint), query);
    case 'state':
      return bestMatches(await stateSuggestions(savepoint, workspaceId), query);
    case 'tool':
      return slashSuggestions(savepoint, query, commands, more);
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

/** Returns the words, prompts and the agent's commands, then the tools. */
function slashSuggestions(
  savepoint: Savepoint,
  query: string,
  commands: readonly ChatAgentCommand[],
  more: boolean,
): Suggestion[] {
  const named = [
    ...wordSuggestions(commands),
    ...promptSuggestions(savepoint),
    ...commandSuggestions(commands),
  ];
  const tools = toolSuggestions(savepoint);
  if (more) return [...named.slice(MAX_SUGGESTIONS), ...tools];
  if (query === '') return [...named.slice(0, MAX_SUGGESTIONS), moreSuggestion()];
  return [...bestMatches(named, query), ...bestMatches(tools, query)].slice(0, MAX_SUGGESTIONS);
}

/** Returns the plugin's words, except those that the agent has a command for. */
function wordSuggestions(commands: readonly ChatAgentCommand[]): Suggestion[] {
  return SLASH_WORDS.flatMap((word) => {
    const { name, note } = text.chat.slash[word];
    if (commands.some((command) => command.name === name)) return [];
    const [title, alias] = [`/${name}`, `/${word}`];
    return [{ key: `word:${word}`, icon: SLASH_ICONS[word], title, note, alias, pick: { word } }];
  });
}

function promptSuggestions(savepoint: Savepoint): Suggestion[] {
  return ownPrompts(savepoint).map(({ name, description, file }) => ({
    key: `prompt:${file.path}`,
    icon: 'text-quote',
    title: `/${name}`,
    note: description === '' ? text.chat.slash.prompt : description,
    alias: '',
    pick: { prompt: file },
  }));
}

function moreSuggestion(): Suggestion {
  const { name, note } = text.chat.slash.more;
  return { key: 'more', icon: 'ellipsis', title: name, note, pick: 'more' };
}

function commandSuggestions(commands: readonly ChatAgentCommand[]): Suggestion[] {
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

/** Returns the best matches; without a query, the first suggestions in the given order. */
function bestMatches(suggestions: readonly Suggestion[], query: string): Suggestion[] {
  if (query.trim() === '') return suggestions.slice(0, MAX_SUGGESTIONS);
  const match = prepareFuzzySearch(query.trim());
  const matches: { suggestion: Suggestion; score: number }[] = [];
  for (const suggestion of suggestions) {
    const { title, note, alias } = suggestion;
    const isExact = [title, alias].includes(`/${query}`);
    const result = match(title) ?? match(alias ?? `${title} ${note}`);
    if (result) matches.push({ suggestion, score: isExact ? Infinity : result.score });
  }
  return matches
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ suggestion }) => suggestion);
}
