import type { ConnectionStep, HealthCheck } from '../../apps/health-check.js';
import type { Surface } from '../../toolkit/surfaces.js';

/** The user's choices for connecting an app. */
export interface ConnectionWishes {
  /** Surface of the app; unchanged if undefined. */
  readonly surface: Surface | undefined;
  /** Toolsets, as for `--toolsets`: names, `all` or `none`; empty to follow the settings. */
  readonly toolsets: string;
  readonly isReadOnly: boolean;
}

/** A settings file of an AI app on this machine; an app can have several. */
export interface AppChoice {
  readonly title: string;
  readonly file: string;
  /** Its connection to this vault; undefined if there is none. */
  readonly existing: (ConnectionWishes & { readonly name: string }) | undefined;
  /** Reason why the app's settings cannot be used; empty if they can. */
  readonly problem: string;
}

/** A planned change to an app's settings. */
export interface PlannedChange {
  readonly title: string;
  readonly file: string;
  readonly name: string;
  readonly change: 'add' | 'update' | 'remove' | 'none';
  /** The changed lines with context, each prefixed with `+ `, `- ` or two spaces. */
  readonly lines: readonly string[];
  /** Sentence that tells the user how to make the app reload its settings. */
  readonly reload: string;
  /** Applies the change; returns the path of the backup if the file existed. */
  apply(): Promise<string | undefined>;
  /** Calls the configured command as the app does. Resolves with true if every step works. */
  verify(onStep: (step: ConnectionStep) => void): Promise<boolean>;
  undo(): Promise<void>;
}

export interface CheckReport {
  readonly isOk: boolean;
  readonly entries: readonly {
    readonly title: string;
    readonly file: string;
    /** Name of the entry; empty if the file cannot be read, and `problem` says why. */
    readonly name: string;
    readonly problem: string;
    readonly steps: readonly ConnectionStep[];
  }[];
  readonly checks: readonly HealthCheck[];
}

/** Connects AI apps on this computer to the vault. Failures throw a `Refusal`. */
export interface Connections {
  apps(): Promise<AppChoice[]>;
  plan(app: AppChoice, wishes: ConnectionWishes): Promise<PlannedChange>;
  planRemoval(app: AppChoice): Promise<PlannedChange>;
  check(): Promise<CheckReport>;
  /** Returns the version of the program that apps start if it is older than the plugin. */
  olderProgram(): Promise<string | undefined>;
  /** Installs the plugin's version in place of an older program. */
  updateProgram(): Promise<void>;
  /** Returns the MCP configuration for any other app, as JSON. */
  configText(): Promise<string>;
}
