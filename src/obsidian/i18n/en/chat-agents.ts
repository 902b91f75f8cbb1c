import { counted } from '../../../model/text/counted.js';

/** Texts about agents that answer in the chat, such as Claude Code. */
export const chatAgents = {
  settings: {
    name: 'Agents in the chat',
    desc: 'Claude Code, Codex, Gemini CLI and other agents on this computer answer in the chat panel, with your memory.',
    onlyDesktop: 'Agents run only in the desktop app.',
    added: 'On this device',
    addedEmpty: 'No agent has been added yet.',
    found: 'Add an agent',
    inSettings: 'For any other agent, see Settings, Savepoint, Agents in the chat.',
    searching: 'Looking for agents…',
    add: 'Add',
    adding: 'Starting…',
    copy: 'Copy command',
    copied: 'Copied. Run the command in a terminal, then look again.',
    again: 'Look again',
    missing: (how: string) => `Not installed. To install it: ${how}`,
    ready: (program: string) => `Installed: ${program}`,
    freeCloud: 'Without a login, it may send your text to free models of its own cloud.',
    works: (title: string) => `${title} works. New conversations can use it now.`,
    custom: {
      name: 'Another agent',
      desc: 'A command that starts a program that speaks the Agent Client Protocol.',
      placeholder: 'my-agent --acp',
    },
  },
  inFlatpak:
    'Obsidian runs in the sandbox of Flatpak, where it cannot start agents. Use a chat model, or install Obsidian from obsidian.md.',
  plan: 'Plan',
  kinds: {
    read: 'Read',
    edit: 'Edit',
    delete: 'Delete',
    move: 'Move',
    search: 'Search',
    execute: 'Run a command',
    think: 'Think',
    fetch: 'Fetch',
    switch_mode: 'Switch mode',
    other: 'Tool',
  } as Readonly<Record<string, string>>,
  diffCut: 'Not all changed lines are shown.',
  diffTooLarge: 'Too many lines to show, or not text in UTF-8.',
  notUndoable: (paths: string) => `Cannot be undone (over 1 MB or excluded): ${paths}`,
  asksCommand: 'Only what it changes in text files can be undone.',
  settingsOf: 'Agent settings',
  mode: (value: string) => `Mode: ${value}`,
  noMemory: (title: string) =>
    `${title} has not connected to Savepoint’s memory. It can answer, but it cannot save or resume states.`,
  changed: (files: number) => `Changed ${counted(files, 'file')}`,
  changedSettings: (title: string, path: string) =>
    `${title} changed the app’s settings: ${path}. You can undo this in the chat.`,
  changedMemory: (title: string, path: string) =>
    `${title} changed Savepoint’s own folder: ${path}. You can undo this in the chat.`,
  wroteElsewhere: (title: string, path: string) =>
    `${title} changes a file that it must not change: ${path}. It did not ask before.`,
  review: 'Review and undo',
  changes: {
    title: 'Changes by the agent',
    empty: 'The agent has changed nothing in this conversation.',
    turn: (number: number) => `Message ${number}`,
    created: 'created',
    deleted: 'deleted',
    edited: 'edited',
    undone: 'undone',
    gone: 'There is no copy from before the change.',
    undoTurn: 'Undo this message’s changes',
    undoAll: 'Undo all changes',
    result: (undone: number) => `Undid ${counted(undone, 'change')}.`,
    conflicts: (paths: string) =>
      `You had rewritten lines of the agent in ${paths}. Both versions were kept; check them.`,
    lost: (paths: string) => `Could not undo changes to ${paths}, because they have no copy.`,
    kept: (paths: string) =>
      `${paths} has changed since and is not text in UTF-8, so it was not undone.`,
    linked: (path: string) => `${path} is behind a link. Remove it, then try again.`,
  },
  onlyDesktop: 'Agents run only in the desktop app. Choose a model to continue here.',
  notAdded: (title: string) =>
    `${title} has not been added on this device. Add it in the settings, or choose another model.`,
  /** Failures by kind, with the agent's own words and the way to install it. */
  failures: {
    missing: (title: string, _: string, how: string) =>
      `${title} was not found on this computer. Install it (${how}), then try again.`,
    ended: (title: string, words: string) =>
      words === ''
        ? `${title} ended without a message. Try again.`
        : `${title} ended. Its last output: ${words}`,
    version: (title: string, words: string, how: string) =>
      `${title} speaks version ${words} of the protocol, and this plugin version 1. Install the tested version (${how}), or update Savepoint.`,
    login: (title: string, words: string) =>
      `${title} needs a login. Log in in a terminal, then try again. It says: ${words}`,
    silent: (title: string, words: string) =>
      words === ''
        ? `${title} did not answer in time. Try again.`
        : `${title} did not answer in time. Its last output: ${words}`,
    stuck: (title: string) =>
      `${title} did not stop, so it was ended. The next message starts it again.`,
    cancelled: (title: string) => `${title} ended its turn before the answer was complete.`,
    error: (title: string, words: string) => `${title} reported an error: ${words}`,
    oversized: (title: string) =>
      `${title} sent a message of more than 32 MB. Ask it for less at once.`,
  },
};
