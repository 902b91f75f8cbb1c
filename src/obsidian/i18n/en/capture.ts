/** Texts about checkpoints: what is captured, where to continue, and links that lead there. */
export const capture = {
  continue: 'Continue',
  allStates: 'All states…',
  notSaved: 'Not saved',
  saveAsState: 'Save as state',
  checkpoint: 'Checkpoint',
  savedFrom: (app: string, day: string) =>
    `Saved from the checkpoint of a session in ${app} on ${day}.`,

  commands: {
    pause: 'Pause capture for an hour',
    resume: 'Resume capture',
  },
  makePrivate: 'Stop capturing this conversation',
  makePublic: 'Capture this conversation',
  chips: { paused: 'Paused', excluded: 'Excluded', private: 'Private' },
  hints: {
    paused: 'Capture is paused on this device, so this conversation leaves no checkpoints.',
    excluded: 'Capture is off for this folder, so this conversation leaves no checkpoints.',
    private: 'This conversation leaves no checkpoints.',
  },
  status: {
    on: 'Conversations leave checkpoints. Click to pause for an hour.',
    paused: (until: string) => `Capture is paused until ${until}. Click to resume.`,
    pausedShort: (until: string) => `Paused until ${until}`,
    excluded: 'Conversations in this workspace leave no checkpoints on this device.',
    nowPaused: (until: string) =>
      `Capture is paused on this device until ${until}. Your conversations and saved states are not affected.`,
    resumed: 'Capture is on again.',
  },

  recalled: {
    count: (count: number) => `${count} from memory`,
    found: (count: number) => `${count} from memory will be sent with this message.`,
    remove: 'Leave out of this message',
  },

  settings: {
    name: 'Capture',
    folder: 'Folder',
    desc: 'What sessions leave behind without being asked, and what the memory costs in tokens.',
    vault: {
      name: 'Capture sessions in this vault',
      desc: 'Conversations of the chat leave a checkpoint: your messages, the answers, and files. No model is called. Applies to this device.',
    },
    pause: {
      name: 'Pause',
      desc: 'Stops capture on this device for an hour.',
      until: (time: string) => `Capture is paused on this device until ${time}.`,
    },
    projects: {
      heading: 'Linked projects',
      none: 'No linked projects. Sessions of AI apps are captured only in projects that you link.',
      captured: (folder: string) => `What to keep of sessions in ${folder}`,
      levels: {
        off: 'Nothing',
        task: 'Task, files and commands',
        all: 'All messages and answers',
      },
      told: (folder: string) => `What agents in ${folder} are told from memory`,
      tellLevels: {
        off: 'Tell nothing',
        start: 'Tell at the start',
        prompt: 'Also at prompts',
        all: 'Also at files and in subagents',
      },
      toolHooks:
        'Agents are told about files and in subagents once their hooks have been added again, with savepoint connect and --hooks.',
      unlinked: (folder: string) => `Unlinked "${folder}". Its sessions are no longer captured.`,
      form: {
        title: 'Link a project',
        submit: 'Link',
        folderHint: 'Absolute path of the folder of one project on this device.',
        workspaceHint: 'Sessions in the project belong to this workspace.',
        capture: 'Keep of sessions',
        captureHint:
          'From AI apps with hooks, without a model. Everybody who has the vault can read it, for a year.',
        noProject: (folder: string) =>
          `"${folder}" is not a project: it is no folder, or it is this vault, your home folder or a drive.`,
      },
    },
    excluded: {
      heading: 'Folders without capture on this device',
      none: 'No folders.',
      form: {
        title: 'Exclude a folder',
        submit: 'Exclude',
        folderHint: 'Absolute path of a folder on this device, in which nothing is captured.',
        noFolder: (folder: string) => `There is no folder "${folder}".`,
      },
    },
    cost: {
      heading: 'What the memory costs',
      reading: 'Counting…',
      apps: {
        name: 'Tools',
        desc: 'An app sends the descriptions of its tools to the model, as a rule once per conversation.',
      },
      app: (title: string, tokens: number) =>
        `${title}: about ${tokens.toLocaleString('en')} tokens per conversation`,
      noApps: 'No AI app is connected.',
      brief: {
        name: 'Brief',
        desc: 'What a session in a linked project is told when it starts. Capturing costs nothing.',
      },
      briefSize: (workspace: string, tokens: number, budget: number) =>
        `${workspace}: about ${tokens.toLocaleString('en')} of at most ${budget.toLocaleString('en')} tokens`,
    },
  },

  links: {
    unknownAction: (given: string) =>
      `${given === '' ? 'This Savepoint link has no action' : `Savepoint links have no action "${given}"`}. Use resume, save or brief.`,
    tooLong: (field: string, limit: number) =>
      `The parameter "${field}" of this link is too long. Use at most ${limit.toLocaleString('en')} characters.`,
    noWorkspace: (name: string) => `There is no workspace "${name}" in this vault.`,
    noState: (name: string) => `There is no state "${name}" in this vault.`,
    severalStates: (name: string) =>
      `Several states are named "${name}". Add the workspace to the link.`,
    nothing: 'There is nothing to continue yet. Save a state first.',
    resumed: (name: string) => `Resumed "${name}" in a new conversation.`,
    formOpened: 'The form is open in Obsidian. Save the state there.',
    briefTitle: 'Brief for an agent',
    copyBrief: 'Copy',
    briefCopied: 'Copied the brief. Paste it into any chat.',
  },
  cli: {
    resume: 'Continue from a state in a new conversation; without a state, from what is newest',
    save: 'Open the form that saves a state, filled in',
    brief: 'Print what an agent should know before it works in a workspace',
  },
  flags: {
    workspace: 'Name of the workspace (without it, the current one)',
    state: 'Name of the state',
    name: 'Name of the new state',
    task: 'The current task',
    context: 'What happened so far',
    next: 'Next steps, one per line',
    files: 'Files, one per line',
    tags: 'Tags, separated by commas',
    description: 'One line for lists',
  },
};
