import type { JsonObject } from '../model/event.js';
import type { AppSwitch } from './switches.js';
import type { ActivityRecorder } from './transcripts/activity.js';
import type { AppAdditions } from './transcripts/typed-text.js';

/** An AI app. An absent part is something that the app cannot do. */
export interface AiApp {
  /** Name on the command line and in hooks. */
  readonly id: string;
  readonly title: string;
  /** Names as an MCP client, apart from the id. */
  readonly clientNames?: readonly string[];
  readonly config?: AppConfig;
  readonly hooks?: AppHooks;
  readonly acp?: AcpProgram;
  readonly trust?: FolderTrust;
  /** Returns the known places that switch servers or hooks off, apart from the entry itself. */
  readonly switches?: (folders: DeviceFolders) => readonly AppSwitch[];
  /** Returns true if the app reads the settings in a project; absent if it always does. */
  readonly readsProject?: (settings: JsonObject, project: string) => boolean;
  /** Returns this program's package in the app, if it is installed and enabled. */
  readonly findPackage?: (files: AppFiles) => Promise<InstalledPackage | undefined>;
  /** Variable that names the folder of the user's project. */
  readonly projectVariable?: string;
  /** Variable with the vault that is set in the app's package. */
  readonly vaultVariable?: string;
  /** Returns the shell command that connects the app to a server over HTTP. */
  readonly httpCommand?: (url: string, token: string) => string;
  /** Returns the conversation's id in the `_meta` of a call. */
  readonly conversationId?: (meta: JsonObject) => string | undefined;
  /** Returns the folder in the `_meta` of a call. */
  readonly namedFolder?: (meta: JsonObject) => NamedFolder | undefined;
}

/** `json` is strict; `json-comments` allows comments, and `jsonc` trailing commas as well. */
export type ConfigFormat = 'json' | 'json-comments' | 'jsonc' | 'toml';

/** Properties of an entry, as the app's configuration names them. */
export type ServerEntry = Readonly<Record<string, string | readonly string[]>>;

/** How an app is connected as an MCP client. */
export interface AppConfig {
  readonly format: ConfigFormat;
  /** Keys, separated by `/`, of the object or table that contains the servers by name. */
  readonly section: string;
  /** The section of newer versions, which read both. It takes precedence in a file that has it. */
  readonly newerSection?: string;
  /** Needed in each entry in addition to the command. */
  readonly required?: ServerEntry;
  /** For a new entry; the user may change them. */
  readonly initial?: ServerEntry;
  /** True if `command` is a list that contains the arguments, too. */
  readonly isCommandList?: boolean;
  /** Text that the app would expand as a variable; absent if it expands none. */
  readonly variable?: RegExp;
  /** How the user makes the app reload its configuration. */
  readonly reload: string;
  /** True if the app cannot read a file that begins with a byte order mark. */
  readonly refusesMark?: boolean;
  /** The app's program on the PATH; by default that of `list`, or the app's id. */
  readonly program?: string;
  /** The app's own command that lists its servers. */
  readonly list?: {
    readonly program: string;
    readonly args: readonly string[];
    /** Variables that the command needs in addition to those of this process. */
    readonly env?: Readonly<Record<string, string>>;
    /**
     * Line of server `NAME` whose last group is the reported status, and a group `command` what it
     * runs; absent if JSON.
     */
    readonly line?: string;
    /** Status of a working server. Some apps start none of those that they list. */
    readonly working: RegExp;
  };
  /** Returns one place per way to install the app. */
  readonly places: (folders: DeviceFolders) => readonly ConfigPlace[];
}

/** Folders of this device on which the places of apps depend. */
export interface DeviceFolders {
  readonly platform: string;
  readonly home: string;
  /** Where apps keep their settings. */
  readonly appData: string;
  /** Returns the folder of these for this system, with settings that are made for all users. */
  readonly system: (linux: string, darwin: string, win32: string) => string;
  /** Settings of programs that follow the XDG convention. */
  readonly xdgConfig: string;
  /** Folders of packaged apps (MSIX) on Windows. */
  readonly packages: readonly string[];
  readonly join: (...parts: string[]) => string;
  /** Returns an environment variable; undefined if absent or empty. */
  readonly variable: (name: string) => string | undefined;
}

/** A possible place of a configuration. Paths are relative to the app's own folder. */
export interface ConfigPlace {
  readonly folder: string;
  readonly file: string;
  /** Other names, most important first. The first that exists is used instead. */
  readonly otherFiles?: readonly string[];
  /** The app counts as installed if the folder or one of these paths exists. */
  readonly markers?: readonly string[];
  /** If one of these paths exists, the app no longer reads the file. */
  readonly successors?: readonly string[];
}

/** Moments of a session at which an app calls `savepoint hook`. */
export const HOOK_EVENTS = ['session-start', 'turn', 'pre-compact', 'session-end'] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Moments at which an app asks `savepoint hook` what to tell its agent. */
export const TELL_MOMENTS = ['prompt', 'tool', 'subagent'] as const;

export type TellMoment = (typeof TELL_MOMENTS)[number];

/** The app's name of an event whose hook can tell its agent something. */
export interface TellEvent {
  readonly moment: TellMoment;
  readonly event: string;
  /** The tools whose calls count, in the app's form. */
  readonly matcher?: string;
}

/** How an app declares and calls hooks, and what it tells them. */
export interface AppHooks {
  /** File in the app's folder with the user's hooks. */
  readonly file: string;
  readonly format: Exclude<ConfigFormat, 'toml'>;
  readonly events: Readonly<Record<HookEvent, string>>;
  /** In the same form; docs/parts.md says what of them reaches the model. */
  readonly tells: readonly TellEvent[];
  /** Milliseconds per unit of time in the app. */
  readonly unitMs: number;
  /** For the user, once the app has the hooks. */
  readonly advice: string;
  /** Longest time of the hook at the end of a session, if the app sets a limit. */
  readonly maxEndMs?: number;
  /** Precedes a quoted command in the shell in which the app runs hooks on Windows. */
  readonly windowsPrefix?: string;
  /** True if the app announces a compaction before every request. */
  readonly announcesRequests?: boolean;
  /** True if a session that is resumed lacks what it was told at its prompts. */
  readonly forgetsOnResume?: boolean;
  /** Field of a hook's input with the agent's last answer. */
  readonly answerField: string;
  readonly transcript: TranscriptFormat;
}

export interface TypedMessage {
  readonly text: string;
  /** Id of the message in the transcript, or its time; empty if it has none. */
  readonly id: string;
  /** True if it was sent during a turn, which goes on. */
  readonly isQueued?: boolean;
}

/** How to read transcripts. An entry's `timestamp` and `cwd` are its time and folder. */
export interface TranscriptFormat {
  /** Additions of the app to messages, besides those in tags with a hyphen or underscore. */
  readonly additions?: AppAdditions;
  /** Returns the entries in order, without what was taken back. Absent if each line is one. */
  readonly entriesIn?: (lines: readonly JsonObject[]) => readonly JsonObject[];
  /** Returns the message that a person has typed, if any. */
  readonly typedIn: (entry: JsonObject) => TypedMessage | undefined;
  /** Records what else an entry says; ignores unknown kinds. */
  readonly readEntry: (entry: JsonObject, recorder: ActivityRecorder) => void;
  /**
   * Records a call as hooks report it, and how it ended if its result says so. Absent if the
   * parameters say it all.
   */
  readonly readCall?: (params: JsonObject, result: string, recorder: ActivityRecorder) => void;
  /** Returns true if the entry says that a program leads the session, not a person. */
  readonly isUnattended?: (entry: JsonObject) => boolean;
  /** Returns the app's version in an entry, or `''`. */
  readonly versionIn?: (entry: JsonObject) => string;
  /** Returns the folder with the transcripts of subagents. */
  readonly subagents?: (transcript: string) => string;
}

/** A program that speaks the Agent Client Protocol. */
export interface AcpProgram {
  readonly command: string;
  readonly args: readonly string[];
  /**
   * Shell command that installs the tested version, because npm on an older Node would choose an
   * outdated one; undefined if the agent has its own installer.
   */
  readonly install: string | undefined;
  /** Folder of the agent's own installer, relative to the home folder. */
  readonly binFolder?: string;
  /** Page that describes the installation. */
  readonly homepage: string;
  /** Mode in which the agent asks before it writes; undefined if it starts in it. */
  readonly askingMode?: string;
  /** Returns environment variables that make the agent ask, and deny it the folders. */
  readonly env?: (folders: readonly string[]) => Readonly<Record<string, string>>;
  /** Returns `_meta` of `session/new` to deny folders, relative to the working directory. */
  readonly meta?: (folders: readonly string[]) => JsonObject;
  /** True if the agent may use free models of its vendor's cloud without asking. */
  readonly hasFreeCloud?: boolean;
}

/** How an app lists the folders in which it starts servers. */
export interface FolderTrust {
  /** Returns true if folder trust is off. */
  readonly isOff: (settings: JsonObject) => boolean;
  /** File in the app's folder with the list, and the variable that names another one. */
  readonly list: string;
  readonly listVariable: string;
  /** How the user trusts a folder. */
  readonly advice: string;
}

/** Files in an app's folder, by relative paths. Missing and damaged ones are empty. */
export interface AppFiles {
  readonly fields: (path: string, format?: ConfigFormat) => Promise<JsonObject>;
  readonly text: (path: string) => Promise<string>;
  /** Returns the names in a folder. */
  readonly names: (path: string) => Promise<readonly string[]>;
}

/** This program's package in an app. */
export interface InstalledPackage {
  /** Empty if unknown. */
  readonly version: string;
  /** Empty if the user has set none. */
  readonly vault: string;
}

export interface NamedFolder {
  readonly folder: string;
  /** URLs by name. */
  readonly remotes: Readonly<Record<string, string>>;
}

/** A variable in the form that most apps expand. */
export const BRACED_VARIABLE = /\$\{/;

/** Output with one server per line: `NAME: COMMAND - STATUS`. */
export const STATUS_LINES = {
  line: '^(?:\\S )?NAME: (?<command>.*) - ([^-]+)$',
  working: /\bconnected\b/i,
};

/** Claude Code's names, which others have adopted. */
export const CLAUDE_EVENTS: AppHooks['events'] = {
  'session-start': 'SessionStart',
  turn: 'Stop',
  'pre-compact': 'PreCompact',
  'session-end': 'SessionEnd',
};

export const PACKAGE_NAME = 'savepoint';

/** Returns the id of this program's enabled plugin, such as `savepoint@marketplace`. */
export function findPlugin(
  plugins: JsonObject,
  isEnabled: (value: unknown) => boolean,
): string | undefined {
  return Object.keys(plugins).find(
    (id) => id.startsWith(`${PACKAGE_NAME}@`) && isEnabled(plugins[id]),
  );
}
