import { counted } from '../../../model/text/counted.js';

/** Texts about removing something for good. */
export const forget = {
  action: 'Forget…',
  deleteConversation: 'Delete conversation…',
  earlierAction: 'Forget earlier texts…',
  earlierTitle: (name: string) => `Forget what "${name}" contained before?`,
  nothingEarlier:
    'It contains all that it ever contained. Edit it first; then its earlier texts can be removed here.',
  earlierForgotten: (name: string) => `Removed what "${name}" contained before for good.`,
  title: (name: string) => `Forget "${name}"?`,
  deleteTitle: (name: string) => `Delete conversation "${name}"?`,
  looking: 'Looking for everything that holds its text…',
  gone: 'It is not here any more. If another device removed it, see Settings → Storage → Removal requests.',
  intro: 'This is removed for good:',
  related: 'These contain its text or were saved in it. They stay, unless you select them:',
  where:
    'It is removed from this vault and from everything Savepoint keeps on this device. Your other devices hide it once they have synced, and remove it when you agree there, or after telling you on seven days.',
  notPromised:
    'Backups, sync services and Obsidian may keep old versions, and AI apps and providers what they have read. Notes, and files that agents wrote into the vault, are yours: delete them yourself. If it is a password, change it.',
  final: 'This cannot be undone.',
  forget: 'Forget',
  delete: 'Delete',
  running: 'Removing…',
  forgotten: (name: string) => `Removed "${name}" for good.`,
  waiting: (count: number) =>
    `${counted(count, 'file is', 'files are')} still in use by another program or device. The rest is removed when that next runs, or in two days.`,
  /** `files` are the first ones. */
  remaining: (count: number, files: string) =>
    `${counted(count, 'other file', 'other files')} in the vault still ${count === 1 ? 'has' : 'have'} the text, and Savepoint does not touch ${count === 1 ? 'it' : 'them'}: ${files}.`,
  /** An item by its name. */
  named: {
    'ws.new': (name: string) =>
      `What the fields of the workspace "${name}" contained before; it stays as it is now`,
    workspace: (name: string) => `The workspace "${name}" with everything in it`,
    'state.new': (name: string) => `State "${name}"`,
    'record.new': (name: string) => `Record "${name}"`,
    'conv.new': (name: string) => `Conversation "${name}"`,
  },
  /** Items by their number. */
  kinds: {
    'state.new': (count: number) => counted(count, 'copy in another workspace', 'copies'),
    'record.new': (count: number) =>
      counted(count, 'record saved with it', 'records saved with it'),
    'msg.new': (count: number) => counted(count, 'chat message'),
    'trace.new': (count: number) => counted(count, 'tool call'),
    'pin.new': (count: number) => counted(count, 'pinned record', 'pinned records'),
    session: (count: number) =>
      counted(count, 'saved version of a session', 'saved versions of a session'),
  },
  /** A message of a session, by the number of the session's versions that have it. */
  message: (count: number) =>
    `This message with its answer, in ${counted(count, 'saved version', 'saved versions')} of the session`,
  other: (count: number) => counted(count, 'other entry', 'other entries'),
  pick: { enter: 'to see what is removed', empty: 'No states.' },
  requests: {
    name: 'Removal requests',
    desc: 'What your other devices have asked to remove for good.',
    review: 'Review',
    notice: (device: string, count: number) =>
      `${device} asked to remove ${counted(count, 'entry', 'entries')} for good. They are hidden here, and removed after you have been told on seven days, unless you refuse.`,
    none: 'Nothing is waiting for your decision.',
    waiting: (count: number) =>
      `${counted(count, 'request is', 'requests are')} waiting for your decision.`,
    reading: 'Looking for what it was…',
    unknown: 'This device has no copy of it any more, so refusing would bring nothing back.',
    due: (days: number) =>
      `Hidden on this device. It is removed here after you have been told on seven days (so far ${days}), unless you refuse.`,
    kept: 'You refused. This device shows it as far as it has copies; your other devices do not.',
    agree: 'Agree now',
    refuse: 'Refuse',
    agreed: (count: number) =>
      count === 0
        ? 'Nothing of it was left on this device.'
        : `Removed for good from this device: ${counted(count, 'line')} of the log.`,
    refused: 'Kept on this device, as far as it has copies. Your other devices do not show it.',
  },
};
