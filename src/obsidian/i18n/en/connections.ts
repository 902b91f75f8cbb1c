import { counted } from '../../../model/text/counted.js';
import type { Surface } from '../../../toolkit/surfaces.js';

/** Texts of the commands, modals and settings that connect AI apps. */
export const connections = {
  commands: { connect: 'Connect an AI app', check: 'Check connections', copy: 'Copy MCP config' },
  copied: "Copied the MCP config. Paste it into the app's settings, next to its other servers.",
  none: 'No supported AI app found on this computer. Install one and start it once, or use "Copy MCP config" for any other app.',
  using: (client: string) => `${client} is using this memory`,

  pick: {
    placeholder: 'Connect an app…',
    enter: 'to preview the change',
    held: (name: string) => `Connected as "${name}"`,
    heldReadOnly: (name: string) => `Connected as "${name}", read-only`,
    free: 'Not connected',
    broken: "Can't read its settings",
  },

  connect: {
    title: (app: string) => `Connect ${app}`,
    reading: 'Reading its settings…',
    vault: 'Vault',
    file: 'File',
    readOnly: 'Read-only',
    readOnlyDesc: 'The app can read this memory but not write to it.',
    readOnlyHeld:
      'The app can read this memory but not write to it. Reconnect it to allow writing.',
    surface: 'Tools',
    surfaceDesc: 'How tools are presented. Fewer tools use fewer tokens.',
    surfaces: {
      full: 'All tools',
      actions: 'Grouped',
      compact: 'Minimal',
    } satisfies Record<Surface, string>,
    toolsetsDesc: 'Tools for files, search index, validation and traces.',
    toolsetChoices: { '': 'Use settings', all: 'All', none: 'None' },
    change: 'Change to the file',
    nothing: (name: string) => `Connected as "${name}". Nothing would change.`,
    disconnect: 'Disconnect',
    writing: 'Writing the file…',
    proving: 'Testing the connection…',
    steps: 'Checks',
    backup: (file: string) => `Backup: ${file}`,
    done: (app: string) => `${app} is connected`,
    failed: (app: string) => `${app} can't reach this memory yet`,
    failedText: 'The settings were written. See the failed step above.',
    notWritten: 'Nothing was changed',
    undone: (app: string) => `Restored the settings of ${app}.`,
    disconnected: (app: string) => `${app} is disconnected`,
    disconnectedText: 'Its settings no longer name this vault.',
  },

  step: {
    node: 'Node found',
    program: 'Savepoint found',
    vault: 'Vault found',
    initialize: 'Server starts',
    version: 'Same version',
    'tools/list': 'Tools listed',
    'tools/call': 'Test call works',
    enabled: 'Entry enabled',
    trust: 'Trusted folders',
    'mcp list': 'App lists Savepoint',
  },
  ms: (ms: number) => `${ms.toLocaleString('en')} ms`,
  well: 'OK',
  unsure: 'Unsure',
  wrong: 'Problem',
  fix: (what: string) => `Fix: ${what}.`,

  check: {
    running: 'Testing each connection…',
    well: 'All connections work',
    wellText: (count: number) =>
      count === 1
        ? 'One app can reach this memory.'
        : `${count.toLocaleString('en')} connections can reach this memory.`,
    unsure: 'Nothing has failed, but not all is certain',
    unsureText: 'What could not be seen is listed below, with what to do about it.',
    unwell: 'Some connections need attention',
    unwellText: 'The problems are listed below, with what to do about them.',
    none: 'No AI app is connected to this vault',
    noneText: 'Connect one to let it save and resume your work.',
    entry: (app: string, name: string) => `${app}: "${name}"`,
    here: 'This vault',
    names: { 'state folder': 'State folder', memory: 'Memory', vault: 'Vault' } as Readonly<
      Record<string, string>
    >,
    failed: 'The connections could not be checked',
    again: 'Check again',
  },

  approvals: {
    command: 'Review AI app requests',
    title: 'Approval needed',
    unnamed: 'Unnamed app',
    wants: (client: string) => `${client} wants to write to this memory`,
    action: (title: string, subject: string) => `${title}: ${subject}`,
    inWorkspace: (workspace: string) => `In workspace ${workspace}`,
    nothing: 'nothing',
    does: 'Action',
    workspace: 'Workspace',
    what: 'Content to write',
    data: 'Raw data',
    more: (count: number) => `${counted(count, 'more request')} waiting`,
    waiting: (count: number) =>
      count === 1
        ? 'An AI app is waiting for approval'
        : `${count.toLocaleString('en')} AI app requests are waiting for approval`,
    once: 'Allow once',
    session: 'Allow for this session',
    always: 'Always allow',
    deny: 'Deny',
    options: 'More options',
    details: 'Details…',
    refusals: {
      refused:
        'The user did not allow this call. Nothing was written. Do not retry unless the user asks you to.',
      tooLate: (seconds: number) =>
        `The user was asked in Obsidian but did not answer within ${seconds} seconds. Nothing was written. Tell the user that approval is pending in Obsidian, then retry.`,
      cancelled: 'The call was cancelled before the user approved it. Nothing was written.',
      closed: 'Obsidian was closed before the user approved the call. Nothing was written. Retry.',
      full: 'Too many calls are waiting for approval in Obsidian. Nothing was written. Wait for answers, then retry.',
    },
  },

  notices: {
    did: (client: string, action: string) => `${client}: ${action}.`,
    failed: (client: string, action: string) => `${client}: ${action} (failed).`,
    earlier: (count: number) => `And ${counted(count, 'earlier call')}.`,
  },

  settings: {
    name: 'AI apps',
    desc: 'Apps outside Obsidian that use this memory, and what they can do.',
    onlyDesktop: 'AI apps can only connect on a computer.',
    unclear: {
      name: 'Some permissions are not understood',
      desc: (keys: string) =>
        `${keys} in data.json, perhaps set by a newer version. What they may forbid is forbidden. Update Savepoint, or set these permissions again.`,
    },
    bridge: {
      name: 'Let AI apps connect',
      desc: 'While this vault is open, Obsidian answers connected apps and you see what they do. If this is off, apps access the folder directly. What they may do stays the same, except that what asks first is refused.',
    },
    readOnly: {
      name: 'Read-only for all',
      desc: 'No AI app can write, whether this vault is open or not.',
    },
    connect: {
      name: 'Connect',
      desc: "Previews the change to an app's settings, then tests the connection.",
      button: 'Connect…',
    },
    update: {
      name: 'Program for AI apps',
      desc: (version: string) =>
        `AI apps start version ${version}, which is older than this plugin.`,
      button: 'Update',
      done: 'Updated. AI apps use it when they start next.',
    },
    check: {
      name: 'Check',
      desc: 'Tests every connection to this vault.',
    },
    others: {
      name: 'Access for all apps',
      desc: 'For all apps without an access of their own. With “ask”, writes wait for your approval; if Obsidian is closed they are refused.',
    },
    access: { write: 'Read and write', ask: 'Ask before writing', read: 'Read only' },
    notices: {
      name: 'Notifications',
      desc: 'Show a notification when an app uses this memory.',
      options: { off: 'Never', writes: 'For writes', all: 'For every call' },
    },
    seen: 'Access per app',
    seenEmpty: 'No app has connected since Obsidian started.',
    notSeen: "Hasn't connected since Obsidian started.",
    activity: (calls: number, tool: string, when: string) =>
      `${counted(calls, 'call')} since Obsidian started; the last was ${tool}, ${when}.`,
    accessOf: (client: string) => `Access of ${client}`,
    asOthers: 'As for all apps',
    http: {
      heading: 'Apps that connect over HTTP',
      toggle: {
        name: 'HTTP server',
        desc: "Opens an address on this computer for apps that connect by URL, while this vault is open. Requires a token; other computers and web pages can't reach it. Applies to this device only.",
      },
      at: 'Address',
      opening: 'Opening…',
      copyUrl: 'Copy address',
      urlCopied: 'Copied the address.',
      port: {
        name: 'Port',
        desc: 'Use 0 for any free port, kept if possible.',
      },
      tokens: {
        name: 'Apps with a token',
        desc: 'Each app sends its token as "Authorization: Bearer". Tokens are stored on this device, outside the vault.',
        newName: 'App name',
        add: 'Add',
        hidden: 'Token hidden',
        show: { button: 'Show', of: (client: string) => `Show the token of ${client}` },
        copy: { button: 'Copy', of: (client: string) => `Copy the token of ${client}` },
        renew: {
          button: 'Renew',
          of: (client: string) => `Give ${client} a new token; the old one stops working`,
        },
        remove: {
          button: 'Remove',
          of: (client: string) => `Remove ${client}; its token stops working`,
        },
        copied: (client: string) => `Copied the token of ${client}.`,
        renewed: (client: string) => `Created a new token for ${client}. Copy it into the app.`,
        removed: (client: string) => `Removed ${client}.`,
      },
    },
    restApi: {
      name: 'Offer tools through Local REST API',
      desc: 'Apps connected to the plugin "Local REST API" (version 5 or later) get these tools too. They count as one app.',
      states: {
        off: '',
        absent: 'The plugin is not enabled.',
        old: 'The plugin is too old: version 5 or later is required.',
        on: 'The tools are available there.',
        failed: '',
      },
    },
    audit: {
      name: 'Activity',
      desc: 'Recent calls by AI apps, including refused ones.',
      empty: 'No calls yet.',
      last: (count: number) =>
        `The last ${count.toLocaleString('en')} calls. An export includes up to 1,000.`,
      csv: 'Copy as CSV',
      noteName: (day: string) => `AI app calls ${day}`,
      noteTitle: 'AI app calls',
      csvCopied: (count: number) => `Copied ${counted(count, 'call')}.`,
      nothing: 'No calls to export.',
    },
  },
};
