import type { JsonObject } from '../model/event.js';
import type { ActivityRecorder } from './transcripts/activity.js';

/** Record of an AI app. A part that is absent is something that the app cannot do. */
export interface AiApp {
  /** The app's name on the command line and in its hooks. */
  readonly id: string;
  readonly title: string;
  /** Names by which the app identifies itself as an MCP client, apart from its id. */
  readonly clientNames?: readonly string[];
  readonly config?: AppConfig;
  readonly hooks?: AppHooks;
  readonly acp?: AcpProgram;
  readonly trust?: FolderTrust;
  /**
   * Returns the package of this program in the app; undefined if there is none, or none that is
   * enabled.
   */
  readonly findPackage?: (files: AppFiles) => Promise<InstalledPackage | undefined>;
  /** Variable with which the app names the folder of the user's project. */
  readonly projectVariable?: string;
  /** Variable with which the app passes the vault that is set in its package. */
  readonly vaultVariable?: string;
  /** Returns the shell command that connects the app to a server over HTTP. */
  readonly httpCommand?: (url: string, token: string) => string;
  /** Returns the id of the conversation that the `_meta` of a call names. */
  readonly conversationId?: (meta: JsonObject) => string | undefined;
  /** Returns the folder that the `_meta` of a call names. */
  readonly namedFolder?: (meta: JsonObject) => NamedFolder | undefined;
}

/** `json` is strict; `jsonc` allows comments and trailing commas. */
export type ConfigFormat = 'json' | 'jsonc' | 'toml';

/** The properties of an entry, as the app's configuration names them. */
export type ServerEntry = Readonly<Record<string, string | readonly string[]>>;

/** How an app is connected as an MCP client. */
export interface AppConfig {
  readonly format: ConfigFormat;
  /** Key of the object or table that contains the servers by name. */
  readonly section: string;
  /** Properties that each entry needs in addition to the command. */
  readonly required?: ServerEntry;
  /** Properties that a new entry gets, and that the user may change. */
  readonly initial?: ServerEntry;
  /** True if the property `command` is a list that contains the arguments too. */
  readonly isCommandList?: boolean;
  /** Matches text that the app would expand as a variable; absent if it expands none. */
  readonly variable?: RegExp;
  /** How the user makes the app reload its configuration. */
  readonly reload: string;
  /** The setting that keeps the app from starting a server; undefined if none does. */
  readonly obstacle?: (settings: JsonObject, server: string) => string | undefined;
  /** The file in the folder that has that setting; absent for the file of the servers. */
  readonly obstacleFile?: string;
  /** The app's own command that lists its servers. */
  readonly list?: {
    readonly program: string;
    readonly args: readonly string[];
    /** Variables that the command needs in addition to those of this process. */
    readonly env?: Readonly<Record<string, string>>;
    /**
     * Matches the line of a server. Its name replaces `NAME`; the first group is the status that
     * the app reports. Absent if the output is JSON.
     */
    readonly line?: string;
    /** Matches the status of a server that works. Some apps start none of those that they list. */
    readonly working: RegExp;
  };
  /** Returns several places if the app can be installed in several ways. */
  readonly places: (folders: DeviceFolders) => readonly ConfigPlace[];
}

/** The folders of this device on which the places of apps depend. */
export interface DeviceFolders {
  readonly platform: string;
  /** The user's home folder. */
  readonly home: string;
  /** Where apps keep their settings. */
  readonly appData: string;
  /** Where programs that follow the XDG convention keep their settings. */
  readonly xdgConfig: string;
  /** The folders of packaged apps (MSIX) on Windows. */
  readonly packages: readonly string[];
  readonly join: (...parts: string[]) => string;
  /** Returns a variable of the environment; undefined if it is absent or empty. */
  readonly variable: (name: string) => string | undefined;
}

/** A possible place of an app's configuration. Paths are relative to the app's own folder. */
export interface ConfigPlace {
  readonly folder: string;
  readonly file: string;
  /** Other names of the file, most important first. The first that exists is used instead. */
  readonly otherFiles?: readonly string[];
  /** The app counts as installed if the folder or one of these paths exists. */
  readonly markers?: readonly string[];
  /** If one of these paths exists, the app no longer reads the file. */
  readonly successors?: readonly string[];
}

/** Moments of a session at which an app calls `savepoint hook`. */
export const HOOK_EVENTS = ['session-start', 'turn', 'pre-compact', 'session-end'] as const;

export type HookEvent = (typeof HOOK_EVENTS)[number];

/** How an app declares and calls hooks, and what it tells them. */
export interface AppHooks {
  /** File in the app's folder with the user's hooks. */
  readonly file: string;
  readonly format: Exclude<ConfigFormat, 'toml'>;
  /** The app's names of the events. */
  readonly events: Readonly<Record<HookEvent, string>>;
  /** Milliseconds in the app's unit of time. */
  readonly unitMs: number;
  /** Advice for the user once the app has the hooks. */
  readonly advice: string;
  /** How the user switches off all hooks. */
  readonly switch: HookSwitch;
  /** Prefix of a quoted command in the shell in which the app runs hooks on Windows. */
  readonly windowsPrefix?: string;
  /** True if the app announces a compaction before every request. */
  readonly announcesRequests?: boolean;
  /** Field of a hook's input with the agent's last answer. */
  readonly answerField: string;
  /** Returns a message of the user without what hooks have added to it. */
  readonly withoutAdditions?: (message: string) => string;
  readonly transcript: TranscriptFormat;
}

/** A setting that keeps an app from running any hooks. */
export interface HookSwitch {
  /** File in the app's folder. */
  readonly file: string;
  /** Files in a project's folder that may have the setting too, the one that decides last. */
  readonly projectFiles?: readonly string[];
  readonly format: ConfigFormat;
  /** The setting as people know it. */
  readonly name: string;
  readonly isOff: (settings: JsonObject) => boolean;
}

/** A message of the user. */
export interface TypedMessage {
  readonly text: string;
  /** True if it was sent during a turn, which goes on. */
  readonly isQueued?: boolean;
}

/**
 * How to read an app's transcripts. The fields `timestamp` and `cwd` of an entry say when and in
 * which folder it was written.
 */
export interface TranscriptFormat {
  /**
   * Returns the entries in the lines, in the order in which things happened, without what the user
   * has taken back. Absent if each line is an entry.
   */
  readonly entriesIn?: (lines: readonly JsonObject[]) => readonly JsonObject[];
  /** Returns the message that a person has typed; undefined if the entry has none. */
  readonly typedIn: (entry: JsonObject) => TypedMessage | undefined;
  /** Records what else an entry tells. Entries of unknown kinds are ignored. */
  readonly readEntry: (entry: JsonObject, recorder: ActivityRecorder) => void;
  /** Returns true if the entry says that a program, and no person, leads the session. */
  readonly isUnattended?: (entry: JsonObject) => boolean;
  /** Returns the app's version in an entry; empty if it has none. */
  readonly versionIn?: (entry: JsonObject) => string;
  /** Returns the folder with the transcripts of a session's subagents. */
  readonly subagents?: (transcript: string) => string;
}

/** The program with which an app answers over the Agent Client Protocol. */
export interface AcpProgram {
  /** Name of the program. */
  readonly command: string;
  readonly args: readonly string[];
  /**
   * Shell command that installs the tested version, without which npm on an older Node would
   * install an outdated one; undefined if the agent has its own installer.
   */
  readonly install: string | undefined;
  /** Folder of the agent's own installer, relative to the home folder. */
  readonly binFolder?: string;
  /** Page that describes the installation. */
  readonly homepage: string;
  /**
   * Id of the mode in which the agent asks before it writes; undefined if it starts in that mode.
   */
  readonly askingMode?: string;
  /** Returns environment variables that make the agent ask, and deny it the folders. */
  readonly env?: (folders: readonly string[]) => Readonly<Record<string, string>>;
  /**
   * Returns the `_meta` of `session/new` that denies the agent the folders, which are relative to
   * its working directory.
   */
  readonly meta?: (folders: readonly string[]) => JsonObject;
  /** True if the agent may use free models of its vendor's cloud without asking. */
  readonly hasFreeCloud?: boolean;
}

/** How an app lists the folders in which it starts servers. */
export interface FolderTrust {
  /** Returns true if the app's settings turn folder trust off. */
  readonly isOff: (settings: JsonObject) => boolean;
  /** File in the app's folder with the list, and the variable that names another one. */
  readonly list: string;
  readonly listVariable: string;
  /** How the user trusts a folder. */
  readonly advice: string;
}

/** The files in an app's folder, by paths relative to it. Missing and damaged ones are empty. */
export interface AppFiles {
  readonly fields: (path: string, format?: ConfigFormat) => Promise<JsonObject>;
  readonly text: (path: string) => Promise<string>;
  /** Returns the names in a folder. */
  readonly names: (path: string) => Promise<readonly string[]>;
}

/** A package of this program in an app. */
export interface InstalledPackage {
  /** Empty if it is not known. */
  readonly version: string;
  /** The vault in the settings of the package; empty if the user has set none. */
  readonly vault: string;
}

export interface NamedFolder {
  readonly folder: string;
  /** URLs of the git remotes by name. */
  readonly remotes: Readonly<Record<string, string>>;
}

/** Matches a variable in the form that most apps expand. */
export const BRACED_VARIABLE = /\$\{/;

/** The output of a command that lists one server per line, as `NAME: COMMAND - STATUS`. */
export const STATUS_LINES = {
  line: '^(?:\\S )?NAME: .* - ([^-]+)$',
  working: /\bconnected\b/i,
};

/** Claude Code's names of the events, which others have taken over. */
export const CLAUDE_EVENTS: AppHooks['events'] = {
  'session-start': 'SessionStart',
  turn: 'Stop',
  'pre-compact': 'PreCompact',
  'session-end': 'SessionEnd',
};

/** Name of this program's package in apps. */
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
