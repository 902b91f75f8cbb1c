import type { TFile } from 'obsidian';
import type { RefObject } from 'preact';
import { text } from '../../../i18n/index.js';
import type { ConversationHost } from '../host.js';
import { act } from '../../../actions.js';
import { chatTools } from '../../chat-tools.js';
import { ownPrompts, readPrompt } from '../../own-prompts.js';
import { CreateRecordForm } from '../../../memory/forms/create-record.js';
import { RECORD_ICONS } from '../../../memory/records/record-content.js';
import { openModal } from '../../../ui/modals.js';
import { sentNote } from '../save-conversation.js';
import { runTool } from './run-tool.js';
import { joinNonEmpty } from './use-draft.js';

/** The plugin's own slash commands, by their English names, in the order of the list. */
export const SLASH_WORDS = ['save', 'resume', 'find', 'task', 'decision', 'brief'] as const;

export type SlashWord = (typeof SLASH_WORDS)[number];

export const SLASH_ICONS: Readonly<Record<SlashWord, string>> = {
  save: 'bookmark-plus',
  resume: 'play',
  find: 'search',
  task: RECORD_ICONS.task,
  decision: RECORD_ICONS.decision,
  brief: 'list',
};

/** Returns the word with this name, in English or the user's language. */
function findSlashWord(name: string): SlashWord | undefined {
  const wanted = name.toLowerCase();
  return SLASH_WORDS.find((word) => word === wanted || text.chat.slash[word].name === wanted);
}

/** Splits a message that begins with a slash into the command's name and what follows it. */
function parseSlash(message: string): { name: string; rest: string } | undefined {
  const [, name, rest = ''] = /^\/([^\s/]+)(?:\s+(.*))?$/su.exec(message) ?? [];
  return name === undefined ? undefined : { name, rest };
}

/** Returns the commands that the conversation's agent offers. */
export function chatAgentCommands({
  chat,
  controller,
}: Pick<ConversationHost, 'chat' | 'controller'>) {
  return chat.chatAgents?.running(controller.id.get() ?? '')?.commands ?? [];
}

/** Runs a slash command. `typed` is a name, a title or a query, which fills in what it opens. */
function runSlashWord(host: ConversationHost, word: SlashWord, typed: string): void {
  const { savepoint, controller, actions, openSaveState, focusComposer } = host;
  switch (word) {
    case 'save':
      return openSaveState({ isShown: true, ...(typed !== '' && { name: typed }) });
    case 'resume':
      return actions.pickStateToResume(typed);
    case 'find':
      return actions.search(typed);
    case 'task':
    case 'decision':
      return openModal(
        new CreateRecordForm(savepoint, {
          kind: word,
          workspaceId: controller.workspaceId.get(),
          note: sentNote(host.chat, controller),
          title: typed,
          open: actions.openRecord,
        }),
      );
    case 'brief':
      focusComposer();
      return act(() => controller.callTool('brief', typed === '' ? {} : { for: typed }));
  }
}

/** Returns the functions that run slash commands, and clear or fill the message. */
export function slashCommands(
  host: ConversationHost,
  textarea: RefObject<HTMLTextAreaElement | null>,
  setText: (typed: string) => void,
) {
  const { savepoint } = host;

  function runWord(word: SlashWord, typed: string): void {
    setText('');
    runSlashWord(host, word, typed);
  }

  /** Puts a prompt into the message, where the user can change it before it is sent. */
  function putPrompt(file: TFile, rest: string): void {
    act(async () => {
      setText(joinNonEmpty(await readPrompt(savepoint, file), rest));
      textarea.current?.focus();
    });
  }

  /** Runs the command that the message is; returns false if it is none of the plugin's. */
  function run(message: string): boolean {
    const { name = '', rest = '' } = parseSlash(message) ?? {};
    if (name === '' || chatAgentCommands(host).some((command) => command.name === name))
      return false;
    const word = findSlashWord(name);
    const prompt = ownPrompts(savepoint).find((each) => each.name === name);
    const isTool = rest === '' && chatTools(savepoint).some((tool) => tool.name === name);
    if (word) runWord(word, rest);
    else if (prompt) putPrompt(prompt.file, rest);
    else if (isTool) {
      setText('');
      runTool(host, name);
    }
    return word !== undefined || prompt !== undefined || isTool;
  }

  return { run, runWord, putPrompt };
}
