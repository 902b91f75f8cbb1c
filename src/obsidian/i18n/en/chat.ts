interface MeterFacts {
  readonly tokens: number;
  readonly limit: number | undefined;
  readonly isReported: boolean;
  readonly used: number;
  readonly cost: number | undefined;
}

type ImportProblem = 'damaged' | 'cut' | 'unknown' | 'empty' | 'tooLong';

const IMPORT_PROBLEMS: Record<ImportProblem, string> = {
  damaged: 'it is damaged. Ask for the export again.',
  cut: 'the file ends in the middle of it. Unpack or download it again.',
  unknown: 'it is no conversation of Claude or ChatGPT.',
  empty: 'nothing is said in it.',
  tooLong: 'it has more than 64 MB, which is too much for one conversation.',
};

function conversations(count: number): string {
  return count === 1 ? '1 conversation' : `${count.toLocaleString('en')} conversations`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

function dollars(cost: number): string {
  return cost < 0.01 ? 'less than $0.01' : `$${cost.toFixed(2)}`;
}

/** What the chat panel, its commands and the settings of models say. */
export const chat = {
  title: 'Chat',
  commands: {
    open: 'Open chat',
    fresh: 'New conversation',
    importChats: 'Import chats',
    export: 'Export conversation as note',
  },
  openChat: 'Open chat',
  untitled: 'New conversation',

  all: 'All conversations',
  fresh: 'New conversation',
  saveState: 'Save state',
  rename: 'Rename',
  renameHint: 'What this conversation is called in the list.',
  save: 'Save',
  saving: 'Saving…',
  noTitle: 'Give the conversation a name.',
  pin: 'Pin',
  unpin: 'Unpin',
  archive: 'Archive',
  restore: 'Restore',
  archived: (title: string) => `"${title}" archived.`,
  restored: (title: string) => `"${title}" restored.`,
  isArchived: 'This conversation is archived: the list shows it only among the archived ones.',
  export: 'Export as note',
  exported: (path: string) => `Exported as "${path}".`,
  readOnly: (source: string) =>
    `This conversation comes from ${source}. It stays as it was there; go on from it in a new one.`,
  goOnFrom: 'Go on in a new conversation',
  importedData: (title: string, source: string) =>
    `the conversation "${title}", imported from ${source}`,
  workspaceIs: (name: string) => `Workspace: ${name}`,
  pickWorkspace: {
    placeholder: 'Go on in workspace…',
    enter: 'to choose',
    empty: 'There is no other workspace. Create one with "Create workspace".',
  },
  modelIs: (name: string) => `Model: ${name}`,
  noModel: 'No model',
  pickModel: {
    placeholder: 'Choose a model, or type its name…',
    enter: 'to choose',
    empty: 'No provider is set up yet.',
    loading: 'Asking the providers…',
    setUp: 'Add or change a provider…',
    custom: (model: string) => `Use "${model}"`,
    context: (tokens: string) => `reads ${tokens} tokens`,
  },
  meter: (tokens: string) => `${tokens} tokens`,
  meterOf: (tokens: string, limit: string, share: number) =>
    `${tokens} of ${limit} tokens (${percent(share)})`,
  about: (shown: string) => `about ${shown}`,
  meterHint: ({ tokens, limit, isReported, used, cost }: MeterFacts) =>
    [
      `The next answer reads ${tokens.toLocaleString('en')} tokens${isReported ? ' and what you write' : ', by an estimate'}.`,
      limit === undefined
        ? 'How many the model can read is not known.'
        : `The model can read ${limit.toLocaleString('en')}.`,
      used === 0
        ? ''
        : `This branch has used ${used.toLocaleString('en')} in all, as the provider says${cost === undefined ? '' : `, for about ${dollars(cost)}`}.`,
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
  context: {
    nearLimit: (share: number) =>
      `This conversation fills ${percent(share)} of what the model can read. Save a state and go on in a new conversation; this one stays as it is.`,
    overLimit:
      'This conversation is longer than the model can read. Save a state and go on in a new conversation, or choose a model that reads more.',
    cutByServer: (tokens: string) =>
      `About ${tokens} tokens of this conversation were not read: the server cuts what is too long for it. Save a state and go on in a new conversation, or let the server read more.`,
    later: 'Not now',
  },
  drafting: {
    working: (model: string) => `${model} is filling this in from the conversation…`,
    stop: 'Stop',
    stopped: 'Stopped. What was said last is filled in.',
    offer: (model: string) => `${model} can fill this in from the conversation.`,
    start: 'Fill in',
    again: 'Fill in again',
    done: (model: string, tokens: number | undefined) =>
      `Filled in by ${model}${tokens === undefined ? '' : `, with ${tokens.toLocaleString('en')} tokens`}. Check it before you save.`,
    partly: (read: number, of: number) => `It has read only the last ${read} of ${of} messages.`,
  },

  loading: 'Reading conversation…',
  cannotRead: 'The conversation cannot be read',
  earlier: 'Show earlier messages',
  later: 'Show later messages',
  you: 'You',
  assistant: 'Assistant',
  start: 'What are you working on?',
  startHelp: 'Type [[ to attach a note, @ to attach a state, / to run a tool.',

  copy: 'Copy',
  copied: 'Copied.',
  edit: 'Edit and send again',
  editing: 'Edit message',
  sendEdited: 'Send',
  cancel: 'Cancel',
  retry: 'Try again',
  retryIn: (seconds: number) => `Try again in ${seconds} s`,
  another: 'Answer once more',
  answerThis: 'Have this answered',
  branch: 'Go on from here',
  branchedHere: 'What you say now goes on from here. What came after stays as it is.',
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
    length: 'The answer ended here because it reached the limit of its length.',
    steps: 'Stopped after many tool calls in a row. Say how to go on.',
  },
  failed: 'The answer failed',
  setUpModel: 'Set up a model',
  goOn: 'Save a state and go on in a new conversation',
  finished: (words: string) => `Answer: ${words}`,
  asksLeave: (tool: string) => `The model wants to run "${tool}". Allow or deny it.`,

  call: {
    status: {
      asking: 'Asks for leave',
      waiting: 'Waiting',
      running: 'Running…',
      done: 'Done',
      failed: 'Failed',
      denied: 'Denied',
      stopped: 'Not run',
    },
    writes: 'This writes to the memory of your vault.',
    parameters: 'Parameters',
    result: 'Result',
    once: 'Allow once',
    conversation: 'Allow in this conversation',
    always: 'Always allow',
    deny: 'Deny',
    again: 'Run again…',
    took: (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`),
    unknown: (tool: string) => `Unknown tool "${tool}"`,
  },

  data: {
    note: 'Note',
    state: 'State',
    other: 'Attached:',
    from: (workspace: string, day: string) => `${workspace} · saved on ${day}`,
    cut: (kilobytes: number) => `Only its first 100 of ${kilobytes.toLocaleString('en')} KB`,
    show: 'What was handed over',
  },

  composer: {
    label: 'Message',
    placeholder: 'Message, or / for a tool',
    send: 'Send',
    stop: 'Stop',
    remove: (name: string) => `Remove ${name}`,
    notes: 'Notes',
    states: 'States',
    tools: 'Tools',
    nothing: 'Nothing fits',
    notSent: (why: string) => `Not sent: ${why}`,
  },
  stillSending: 'The last message is still being answered. Stop it, or wait for its end.',
  noteGone: (path: string) => `"${path}" is not in the vault any more. Take it off the message.`,
  stateGone: (name: string) =>
    `The state "${name}" cannot be found any more. Take it off the message.`,

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
    emptyHelp: 'What you say in the chat is kept in this vault, and shows here.',
    noMatch: 'Nothing fits',
    noMatchHelp: 'Try fewer words, or show archived conversations too.',
    archived: 'Show archived conversations',
    isArchived: 'Archived',
    inTitle: 'In the title',
    found: (count: number) => (count === 1 ? '1 place found' : `${count} places found`),
  },

  import: {
    title: 'Import chats',
    how: [
      'Claude: Settings, Privacy, Export data. ChatGPT: Settings, Data controls, Export data. Each sends you a link to a .zip file.',
      'Choose that file here, as it is; or the conversations.json in it.',
    ],
    files: 'Files',
    filesHint: (workspace: string) =>
      `The conversations come into the workspace "${workspace}", to be read and searched, not to be continued. Importing a file again adds only what is new.`,
    choose: 'Choose files…',
    stop: 'Stop',
    close: 'Close',
    show: 'Show conversations',
    reading: (count: number) => (count === 0 ? 'Reading…' : `${conversations(count)} read so far…`),
    from: (source: string, count: number) => `${conversations(count)} from ${source} in the file.`,
    news: (count: number) => `${conversations(count)} added.`,
    more: (count: number) =>
      `${conversations(count)} that you had ${count === 1 ? 'has' : 'have'} new messages; these were added.`,
    nothing: 'Everything in it was here already.',
    same: (count: number) => `${conversations(count)} that you had already.`,
    stopped: 'Stopped. What has been added stays; import the file again to go on.',
    noChats:
      'There is no conversation of Claude or ChatGPT in this file. Choose the .zip file of an export, or the conversations.json in it.',
    zipFaults: {
      damaged: 'This .zip file is damaged, or not wholly there. Download it again.',
      encrypted:
        'This .zip file is locked with a password. Unpack it, and choose the conversations.json in it.',
      unsupported:
        'This .zip file is packed in a way that cannot be read here. Unpack it, and choose the conversations.json in it.',
      tooLarge:
        'This .zip file holds too many files. Unpack it, and choose the conversations.json in it.',
    },
    unreadable:
      'The file has changed since you chose it, or cannot be read any more. Choose it again.',
    soFar: 'What had been read by then was added:',
    bad: (count: number) =>
      count === 1
        ? 'One entry was left out:'
        : `${count.toLocaleString('en')} entries were left out:`,
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
    title: 'Your memory is ready',
    claude: {
      title: 'Connect Claude Desktop',
      text: 'Let an AI app on this computer read and save states in this vault, with its own model.',
      button: 'Show how',
      modal: 'Connect Claude Desktop',
      steps: [
        'In Claude Desktop open Settings, Developer, Edit config.',
        'Add this to the file that opens, then start Claude Desktop again.',
        'Keep this vault open in Obsidian while you use it, or not: both work.',
      ],
      copy: 'Copy',
      phone: 'AI apps connect on a computer. Open this vault in Obsidian there.',
    },
    provider: {
      title: 'Add a model',
      text: 'Chat here with Anthropic, OpenAI, Google, OpenRouter, or with a model on this computer.',
      button: 'Add a provider',
    },
    tools: {
      title: 'Try it without a model',
      text: 'Every tool runs by its name: save a state now, and look for it later.',
      button: 'Type / to choose a tool',
    },
  },

  /** Why a provider has not answered, and what to do. */
  failures: {
    said: (words: string) => ` It said: "${words}"`,
    again: 'Try again in a minute.',
    againIn: (seconds: number) => `Try again in ${seconds} seconds.`,
    key: (provider: string) =>
      `${provider} does not accept the key. Check it under Settings, Savepoint, Models.`,
    tooLong: (model: string) =>
      `The conversation is too long for ${model}. Save a state and go on in a new conversation.`,
    quota: (provider: string) =>
      `${provider} has no credit left for this key. Add some there, or choose another provider.`,
    model: (provider: string, model: string) =>
      `${provider} does not know the model "${model}". Choose one from its list.`,
    tooMuch: (provider: string) => `The message is too long for ${provider}. Send less at once.`,
    tooMany: (provider: string, again: string) =>
      `${provider} gets too many requests from this key. ${again}`,
    overloaded: (provider: string, again: string) => `${provider} is overloaded. ${again}`,
    broken: (provider: string, status: number, again: string) =>
      `${provider} has a fault of its own (${status}). ${again}`,
    refused: (provider: string, status: number) =>
      `${provider} refused the request (${status}). Choose another model, or try again.`,
    heldBack: 'The provider held the answer back by its own rules. Put it in other words.',
    local: (provider: string, url: string) =>
      `${provider} does not answer at ${url}. Start it; if it runs, let it accept requests from Obsidian (for Ollama: OLLAMA_ORIGINS=app://obsidian.md*).`,
    offline: 'This device is offline. Connect it, and try again.',
    unreachable: (provider: string) =>
      `${provider} cannot be reached from here: the network, a firewall or its own rules (CORS) refused. Check the address, then try again.`,
  },

  models: {
    name: 'Models',
    desc: 'Who answers in the chat panel: keys, addresses, models.',
    preferred: {
      name: 'Model for new conversations',
      desc: 'Each conversation can go on with another.',
    },
    add: 'Set up a provider',
    provider: 'Provider',
    providerDesc: 'Whose models answer.',
    key: 'Key',
    keyDesc: (where: string) =>
      `Kept in Obsidian's secret storage on this device, never in a file of the vault. Get one at ${where}.`,
    keyOptional:
      "Only where the server wants one. Kept in Obsidian's secret storage on this device, never in a file of the vault.",
    address: 'Address',
    addressDesc: 'Where its OpenAI-compatible API is, such as http://localhost:11434/v1.',
    badAddress: 'Give an address that begins with https:// or http://.',
    model: 'Model',
    modelDesc: 'Choose one that it offers, or type the name of any other.',
    modelPlaceholder: 'Name of a model',
    load: 'Fetch list',
    loading: 'Fetching…',
    loaded: (count: number) =>
      count === 1 ? 'It offers 1 model.' : `It offers ${count.toLocaleString('en')} models.`,
    test: 'Test',
    testDesc: 'Asks the model for one word.',
    testing: 'Asking…',
    works: (model: string) => `It works: ${model} has answered.`,
    done: 'Done',
    notSetUp: 'Not set up',
    allowed: 'Tools that may write without asking',
    allowedEmpty: 'None: each tool that writes asks first, unless you allow it in a conversation.',
    none: 'No model is set up yet. Add a provider, then try again.',
    noKey: (provider: string, where: string) =>
      `There is no key for ${provider} on this device. Get one at ${where} and add it under Models.`,
    noAddress: (provider: string) =>
      `The address of "${provider}" is not set. Add it under Models.`,
    noList: (provider: string) =>
      `${provider} answered something that is no list of models. Check the address; or type the name of a model.`,
    chooseModel: 'Choose a model first, or type the name of one.',
    silent: (provider: string, seconds: number) =>
      `${provider} did not answer within ${seconds} seconds. Check that it runs, then try again.`,
  },
};
