import type { Surface } from '../../toolkit/surfaces.js';

/** What a person chooses for the connection of an app. */
export interface ConnectionWishes {
  /** Which tools the app sees; as it was where nothing is said. */
  readonly surface: Surface | undefined;
  /** Which further agents it is given, as after `--toolsets`: names, `all` or `none`; as the settings say where it is empty. */
  readonly agents: string;
  readonly isReadOnly: boolean;
}

/** An AI app on this machine: a file of its settings, for it may be installed in several ways. */
export interface AppChoice {
  readonly title: string;
  readonly file: string;
  /** How it is connected to this vault; undefined where it is not. */
  readonly held: (ConnectionWishes & { readonly name: string }) | undefined;
  /** Why its settings cannot be used; empty where they can be. */
  readonly problem: string;
}

/** One thing that must be so for an app's calls to be answered. */
export interface ConnectionStep {
  readonly step:
    'node' | 'program' | 'vault' | 'initialize' | 'version' | 'tools/list' | 'tools/call';
  readonly isOk: boolean;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** What was found, or what is wrong; and what to do about it, empty where nothing is to be done. */
  readonly text: string;
  readonly fix: string;
}

/** A change to the settings of an app that is not made yet. */
export interface PlannedChange {
  readonly title: string;
  readonly file: string;
  /** The name of the entry in it. */
  readonly name: string;
  readonly change: 'add' | 'update' | 'remove' | 'none';
  /** The lines that change and some around them; each begins with `+ `, `- ` or two blanks. */
  readonly lines: readonly string[];
  /** What makes the app read its settings again, in a sentence. */
  readonly reload: string;
  /** Answers the path of the copy of what was there before, where there was something. */
  apply(): Promise<string | undefined>;
  /** Starts what was written as the app will, and calls it. Answers whether all of it went well. */
  verify(onStep: (step: ConnectionStep) => void): Promise<boolean>;
  undo(): Promise<void>;
}

/** How it stands with the connections of this vault. */
export interface CheckReport {
  readonly isOk: boolean;
  readonly entries: readonly {
    readonly title: string;
    readonly file: string;
    /** Empty where the file cannot be read; `trouble` says why. */
    readonly name: string;
    readonly problem: string;
    readonly steps: readonly ConnectionStep[];
  }[];
  readonly checks: readonly {
    readonly name: string;
    readonly isOk: boolean;
    readonly text: string;
    readonly fix: string;
  }[];
}

/** The AI apps outside of this one and their way to this vault, on a desktop. What fails throws a `Refusal` in words. */
export interface Connections {
  /** Those that are on this machine. */
  apps(): Promise<AppChoice[]>;
  plan(app: AppChoice, wishes: ConnectionWishes): Promise<PlannedChange>;
  planRemoval(app: AppChoice): Promise<PlannedChange>;
  check(): Promise<CheckReport>;
  /** The settings for an app that is not known here, as JSON. */
  configText(): Promise<string>;
}
