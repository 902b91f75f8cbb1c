import { counted } from '../../../model/text/counted.js';

/** Texts of the groups and pages of the settings. */
export const pages = {
  headings: { chat: 'Chat and apps', memory: 'Memory', search: 'Search' },
  advanced: { name: 'Advanced', desc: 'Toolsets for agents and apps.' },
  permissions: {
    name: 'Permissions in the chat',
    desc: 'What agents in the chat may do.',
    allowed: 'Tools allowed without asking',
    allowedEmpty: 'None. Tools ask before they write, unless you allow it in a conversation.',
  },
  promptFolder: {
    name: 'Prompt folder',
    desc: 'The chat offers each note in this folder as a slash command.',
    example: 'Prompts',
    noFolder: 'There is no such folder in this vault. Create it first.',
  },
  excludedVault:
    'An entry is not understood, perhaps one of a newer version, so nothing is searched. Update Savepoint, or remove it.',
};

/** Texts about Obsidian Sync. */
export const sync = {
  name: 'Obsidian Sync',
  desc: 'Obsidian Sync includes the memory only if "Sync all other types" is on, on each device.',
  leftOut:
    '"Sync all other types" is off in Obsidian Sync (Selective sync), so the memory of Savepoint stays on this device.',
  fine: 'Nothing to do on this device.',
  open: 'Open Sync settings',
};

/** Texts about entries that are missing. */
export const losses = {
  missing: (count: number, device: string, day: string, file: string) =>
    `${counted(count, 'entry', 'entries')} of the memory ${count === 1 ? 'is' : 'are'} missing, first one that ${device} wrote around ${day}, next to ${file}. Let all devices sync.`,
  unknownPlace: (count: number, device: string) =>
    `${counted(count, 'entry', 'entries')} of the memory that ${device} wrote ${count === 1 ? 'is' : 'are'} missing. Let all devices sync.`,
  show: 'Check memory',
};
