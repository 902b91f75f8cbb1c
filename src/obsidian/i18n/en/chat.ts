import { counted } from '../../../model/text/counted.js';
import { failures, models } from './models.js';

type ImportProblem = 'damaged' | 'cut' | 'unknown' | 'empty' | 'tooLong';

const IMPORT_PROBLEMS: Record<ImportProblem, string> = {
  damaged: 'it is damaged. Ask for the export again.',
  cut: 'it is incomplete. Unpack or download the file again.',
  unknown: "it isn't a Claude or ChatGPT conversation.",
  empty: 'it is empty.',
  tooLong: 'it is larger than 64 MB.',
};

const conversations = (count: number) => counted(count, 'conversation');

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

function dollars(cost: number): string {
  return cost < 0.01 ? 'less than $0.01' : `$${cost.toFixed(2)}`;
}

/** Texts of the chat panel, its commands and the settings of models. */
export const chat = {
  title: 'Chat',
  commands: {
    open: 'Open chat',
    fresh: 'New conversation',
    importChats: 'Import chats',
    export: 'Export conversation as note',
  },

  all: 'All conversations',
  saveState: 'Save state',
  rename: 'Rename',
  save: 'Save',
  noTitle: 'Enter a name.',
  hiddenInTitle: (code: string) => `The name has the invisible character ${code}. Leave it out.`,
  pin: 'Pin',
  unpin: 'Unpin',
  archive: 'Archive',
  restore: 'Restore',
  archived: (title: string) => `"${title}" archived.`,
  restored: (title: string) => `"${title}" restored.`,
  isArchived: 'This conversation is archived.',
  export: 'Export as note',
  exported: (path: string) => `Exported as "${path}".`,
  readOnly: (source: string) =>
    `This conversation was imported from ${source} and is read-only. You can continue it in a new one.`,
  goOnFrom: 'Continue in a new conversation',
  importedData: (title: string, source: string) =>
    `the conversation "${title}", imported from ${source}`,
  workspaceIs: (name: string) => `Workspace: ${name}`,
  pickWorkspace: {
    placeholder: 'Move to workspace…',
    enter: 'to choose',
    empty: 'No other workspace. Create one with "Create workspace".',
  },
  modelIs: (name: string) => `Model: ${name}`,
  noModel: 'No model',
  pickModel: {
    placeholder: 'Choose a model, or type its name…',
    enter: 'to choose',
    empty: 'No provider set up yet.',
    loading: 'Loading models…',
    setUp: 'Add or change a provider…',
    custom: (model: string) => `Use "${model}"`,
    context: (tokens: string) => `${tokens} tokens of context`,
    agent: 'Agent on this device',
  },
  meterOf: (tokens: string, limit: string, share: number) =>
    `${tokens} of ${limit} tokens (${percent(share)})`,
  spent: (tokens: number, cost: number | undefined) =>
    `This branch has used ${tokens.toLocaleString('en')} tokens in total, as reported by the provider${cost === undefined ? '' : `, for about ${dollars(cost)}`}.`,
  context: {
    nearLimit: (share: number) =>
      `This conversation fills ${percent(share)} of the model's context. Save a state and continue in a new conversation; this one stays unchanged.`,
    overLimit:
      'This conversation is too long for the model. Save a state and continue in a new conversation, or choose a model with a larger context.',
    cutByServer: (tokens: string) =>
      `About ${tokens} tokens of this conversation were not read because the server truncates long input. Save a state and continue in a new conversation, or increase the server's context.`,
    later: 'Not now',
  },
  drafting: {
    working: (model: string) => `${model} is filling this in from the conversation…`,
    stop: 'Stop',
    stopped: 'Stopped. Filled in with the last messages.',
    offer: (model: string) => `${model} can fill this in from the conversation.`,
    start: 'Fill in',
    done: (model: string, tokens: number | undefined) =>
      `Filled in by ${model}${tokens === undefined ? '' : ` (${tokens.toLocaleString('en')} tokens)`}. Check it before you save.`,
    refused: (model: string) => `${model} did not answer with a state. Nothing was changed.`,
    partly: (read: number, of: number) => `It read only the last ${read} of ${of} messages.`,
  },

  loading: 'Reading conversation…',
  cannotRead: "Can't read this conversation",
  earlier: 'Show earlier messages',
  later: 'Show later messages',
  you: 'You',
  assistant: 'Assistant',
  start: 'What are you working on?',
  startHelp: 'Type [[ to attach a note, @ to attach a state.',

  copy: 'Copy',
  copied: 'Copied.',
  edit: 'Edit and send again',
  editing: 'Edit message',
  sendEdited: 'Send',
  cancel: 'Cancel',
  retry: 'Try again',
  retryIn: (seconds: number) => `Try again in ${seconds} s`,
  another: 'Regenerate',
  answerThis: 'Get an answer',
  branch: 'Branch from here',
  branchedHere: 'Your next message continues from here. Later messages are kept.',
  branchEnd: 'Back to the end',
  alternative: (at: number, of: number) => `${at} of ${of}`,
  previous: 'Previous version',
  next: 'Next version',
  reasoning: 'Reasoning',
  thinking: 'Thinking…',
  waiting: 'Waiting for the model…',
  stopping: 'Stopping…',
  ended: {
    stopped: 'You stopped this answer.',
    length: 'The answer reached its length limit.',
    steps: (calls: number) => `Stopped after ${counted(calls, 'tool call')}.`,
    limit: 'This is the limit in the settings.',
  },
  resume: 'Continue',
  failed: 'The answer failed',
  interrupted: 'Obsidian was closed before the answer was complete. This is what had arrived.',
  modelNeeded: 'Choose a model to get an answer.',
  setUpModel: 'Set up a model',
  checkKey: 'Check key',
  goOn: 'Save a state and continue in a new conversation',
  finished: (words: string) => `Answer: ${words}`,
  needsApproval: (tool: string) => `The model wants to run "${tool}". Allow or deny it.`,

  call: {
    parameters: 'Parameters',
    result: 'Result',
    once: 'Allow once',
    conversation: 'Allow in this conversation',
    always: 'Always allow',
    deny: 'Deny',
    options: 'More options',
    again: 'Run again…',
    unknown: (tool: string) => `Unknown tool "${tool}"`,
  },

  data: {
    note: 'Note',
    image: 'Image',
    state: 'State',
    other: 'Attached:',
    from: (workspace: string, day: string) => `${workspace} · saved on ${day}`,
    savedBy: (who: string, device: string) => `by ${who} on ${device}`,
    cut: (kilobytes: number) => `Only the first 100 of ${kilobytes.toLocaleString('en')} KB`,
    show: 'Content sent',
    selection: 'Selection in',
    cutOpen: (chars: number) => `Only the first 40,000 of ${chars.toLocaleString('en')} characters`,
    notKept: 'Text not stored',
  },

  openNote: {
    label: (receiver: string) => `Open note for ${receiver}:`,
    selection: 'selection',
    cut: 'first 40,000 characters',
    off: 'not sent',
    help: (receiver: string) =>
      `Press the eye to send the text of the open note to ${receiver}, and later what changed in it. Savepoint remembers this for ${receiver}.`,
  },

  insert: {
    atCursor: 'Insert at cursor',
    replace: 'Replace selection',
    inserted: 'Inserted at the cursor.',
    replaced: 'Selection replaced.',
    noEditor: 'Open a note for editing first.',
    noSelection: 'Select text in the note first.',
  },

  slash: {
    save: { name: 'save', note: 'Save a state of this conversation' },
    resume: { name: 'resume', note: 'Continue from a saved state' },
    find: { name: 'find', note: 'Search memory and notes' },
    task: { name: 'task', note: 'Add a task' },
    decision: { name: 'decision', note: 'Record a decision' },
    brief: { name: 'brief', note: 'What matters in this workspace now' },
    prompt: 'Your prompt',
    more: { name: 'More…', note: 'All tools' },
  },

  composer: {
    label: 'Message',
    placeholder: 'Message, or / for commands',
    send: 'Send',
    stop: 'Stop',
    remove: (name: string) => `Remove ${name}`,
    notes: 'Notes',
    states: 'States',
    tools: 'Commands',
    nothing: 'No matches',
    notSent: (why: string) => `Not sent: ${why}`,
  },
  stillSending: 'The last message is still being answered. Stop it or wait.',
  noteGone: (path: string) =>
    `"${path}" no longer exists in the vault. Remove it from the message.`,
  stateGone: (name: string) => `State "${name}" no longer exists. Remove it from the message.`,

  tool: {
    run: 'Run',
    running: 'Running…',
    lines: 'One per line.',
    pairs: 'One per line, as key: value.',
    optional: 'Optional.',
    notNumber: (label: string) => `${label} must be a number.`,
    chooseOf: (values: string) => `One of: ${values}.`,
  },

  list: {
    search: 'Search conversations…',
    empty: 'No conversations yet',
    emptyHelp: 'Your conversations are saved in this vault and listed here.',
    noMatch: 'No matches',
    noMatchHelp: 'Try fewer words, or show archived conversations.',
    archived: 'Show archived conversations',
    isArchived: 'Archived',
    inTitle: 'In the title',
    searching: 'Searching conversations…',
    found: (count: number, hasMore: boolean) =>
      hasMore ? `${count}+ matches` : counted(count, 'match', 'matches'),
  },

  import: {
    title: 'Import chats',
    how: [
      'Claude: Settings, Privacy, Export data. ChatGPT: Settings, Data controls, Export data. Each sends you a link to a .zip file.',
      'Choose that file here, or the conversations.json in it.',
    ],
    files: 'Files',
    filesHint:
      'Conversations are added as read-only. Importing a file again adds only what is new.',
    choose: 'Choose files…',
    close: 'Close',
    show: 'Show conversations',
    unfinished: (files: string) =>
      `The import of ${files} was interrupted. Choose the file again to add what is left; nothing is added twice.`,
    reading: (count: number) => (count === 0 ? 'Reading…' : `${conversations(count)} read so far…`),
    from: (source: string, count: number) => `${conversations(count)} from ${source} in the file.`,
    news: (count: number) => `${conversations(count)} added.`,
    more: (count: number) => `New messages added to ${conversations(count)}.`,
    nothing: 'Nothing new in this file.',
    same: (count: number) => `${conversations(count)} already imported.`,
    forgotten: (count: number) => `${conversations(count)} left out, because you deleted them.`,
    stopped: 'Stopped. Added conversations are kept; import the file again to continue.',
    noChats:
      'No Claude or ChatGPT conversation in this file. Choose the .zip file of an export, or the conversations.json in it.',
    zipFaults: {
      damaged: 'This .zip file is damaged or incomplete. Download it again.',
      encrypted:
        'This .zip file is password-protected. Unpack it and choose the conversations.json in it.',
      unsupported:
        'This .zip file uses an unsupported compression. Unpack it and choose the conversations.json in it.',
      tooLarge:
        'This .zip file contains too many files. Unpack it and choose the conversations.json in it.',
    },
    unreadable: 'The file has changed or can no longer be read. Choose it again.',
    soFar: 'Added before that:',
    bad: (count: number) => `${counted(count, 'entry was', 'entries were')} skipped:`,
    secrets:
      'Imported as written, though it looks like it holds a secret (the log keeps it, so change it where it is used):',
    others: (count: number) => `and ${count.toLocaleString('en')} more.`,
    problem: ({
      entry,
      title,
      kind,
    }: {
      entry: number;
      title: string | undefined;
      kind: ImportProblem;
    }) =>
      `Entry ${entry.toLocaleString('en')}${title === undefined ? '' : ` ("${title}")`}: ${IMPORT_PROBLEMS[kind]}`,
  },

  first: {
    title: 'Save where you are. Pick it up anywhere.',
    apps: {
      title: 'Connect an AI app',
      text: 'Let Claude Desktop, Claude Code, Cursor and others on this computer read and save states in this vault, with their own models.',
      button: 'Connect…',
      phone: 'AI apps can only connect on a computer. Open this vault in Obsidian there.',
    },
    provider: {
      title: 'Add a model',
      text: 'Chat here with Anthropic, OpenAI, Google, OpenRouter, or with a model on this computer.',
      button: 'Set up a model',
    },
    agent: {
      title: 'Use an agent that you have',
      text: 'Claude Code, Codex, Gemini CLI and others on this computer answer here, with your account and your memory.',
      button: 'Add an agent',
    },
    state: {
      title: 'Try it without a model',
      text: 'Save where your work stands now, then open it or continue from it.',
      button: 'Save state',
    },
  },

  failures,
  models,
};
