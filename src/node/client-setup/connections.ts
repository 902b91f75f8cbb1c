import { displayName } from '../../apps/index.js';
import { Refusal } from '../../model/refusal.js';
import { DEFAULT_SURFACE, parseSurface, type Surface } from '../../toolkit/surfaces.js';
import { envValue } from '../environment.js';
import { stateFolderFrom } from '../ports/state-folder.js';
import { launcherPath, olderProgram, updateProgram } from '../install/install-program.js';
import { applyConnection } from './apply.js';
import { RECONNECT_ADVICE } from './check/check-error.js';
import {
  findClientConfigs,
  type ClientConfig,
  type HostEnvironment,
  type SetupModules,
} from './clients.js';
import { renderConfig } from './config-text.js';
import { shownDiff } from './connect-texts.js';
import { checkWrittenEntry, installRunning } from './connect.js';
import type { ConnectionStep, HealthCheck } from '../../apps/health-check.js';
import { diagnose, type EntryReport } from './doctor.js';
import { createCommand, optionOf, toServerEntry } from './entries.js';
import { findNode, refuseInFlatpak } from './find-node.js';
import {
  findEntry,
  planConnection,
  planRemoval,
  readOwnEntries,
  type ConnectionPlan,
} from './plan.js';

export interface ConnectionsOptions {
  /** An absolute path. */
  readonly vault: string;
  /** The absolute path of the running program, and its version. */
  readonly running: string;
  readonly version: string;
  readonly dataFolder: () => string;
}

/** Settings of a connection that the user can choose in the app. */
interface AppSettings {
  readonly surface: Surface | undefined;
  readonly toolsets: string;
  readonly isReadOnly: boolean;
}

/** A configuration file of a client, and the entry for this vault in it. */
interface AppConnection {
  readonly title: string;
  readonly file: string;
  readonly existing: (AppSettings & { readonly name: string }) | undefined;
  /** Why the file cannot be used; empty if it can. */
  readonly problem: string;
}

/** Manages the connections of one vault for the app. Its methods throw a `Refusal`. */
export class VaultConnections {
  readonly #node: SetupModules;
  readonly #host: HostEnvironment;
  readonly #options: ConnectionsOptions;

  constructor(node: SetupModules, host: HostEnvironment, options: ConnectionsOptions) {
    this.#node = node;
    this.#host = host;
    this.#options = options;
  }

  async apps(): Promise<AppConnection[]> {
    const configs = await findClientConfigs(this.#node, this.#host);
    return Promise.all(configs.map((config) => this.#describe(config)));
  }

  /** Returns the version that clients start if it is older than the running one. */
  olderProgram(): Promise<string | undefined> {
    return olderProgram(this.#node, this.#stateFolder(), this.#options.version);
  }

  /** Installs the running version in place of an earlier one that clients start. */
  async updateProgram(): Promise<void> {
    const { running, version } = this.#options;
    await updateProgram(this.#node, this.#stateFolder(), { file: running, version });
  }

  async plan(app: AppConnection, settings: AppSettings) {
    const plan = await planConnection(this.#node, await this.#configOf(app), {
      ...settings,
      ...this.#folders(),
      node: await findNode(this.#node, this.#host),
      program: launcherPath(this.#node, this.#stateFolder()),
    });
    return this.#changeOf(plan);
  }

  async planRemoval(app: AppConnection) {
    const config = await this.#configOf(app);
    return this.#changeOf(await planRemoval(this.#node, config, this.#options.vault));
  }

  /** Updates an older program, then checks every connection to this vault, and the vault itself. */
  async check() {
    refuseInFlatpak(this.#host);
    await this.updateProgram().catch(() => undefined); // what follows says why
    const { vault, version, dataFolder } = this.#options;
    const options = { vault, version, dataFolder: dataFolder() };
    const { isOk, entries, vaults } = await diagnose(this.#node, this.#host, options);
    return {
      isOk,
      entries: entries.map(toAppEntry),
      checks: vaults.flatMap(({ checks }): readonly HealthCheck[] => checks),
    };
  }

  /** Returns a configuration with only the entry, as JSON, for an app that is not supported. */
  async configText(): Promise<string> {
    const settings = { ...this.#folders(), surface: undefined, isReadOnly: false };
    const node = await findNode(this.#node, this.#host);
    const program = await installRunning(this.#node, this.#host, this.#options);
    const command = createCommand(node, program, settings);
    const path = { section: 'mcpServers', name: 'savepoint' }; // as most apps call it
    return renderConfig('json', path, toServerEntry({}, command, true));
  }

  #folders() {
    return { vault: this.#options.vault, state: envValue(this.#host.env, 'SAVEPOINT_STATE') };
  }

  #stateFolder(): string {
    return stateFolderFrom(this.#node, this.#host.env, this.#host.platform);
  }

  async #describe(config: ClientConfig): Promise<AppConnection> {
    const { file } = config;
    const { title } = config.app;
    const entries = await readOwnEntries(this.#node, config);
    if (typeof entries === 'string') return { title, file, existing: undefined, problem: entries };
    const entry = await findEntry(this.#node, entries, this.#options.vault);
    const existing = entry && {
      name: entry.name,
      surface: parseSurface(optionOf(entry.args, 'surface')) ?? DEFAULT_SURFACE,
      toolsets: optionOf(entry.args, 'toolsets') ?? '',
      isReadOnly: entry.args.includes('--read-only'),
    };
    return { title, file, existing, problem: '' };
  }

  async #configOf({ title, file }: Pick<AppConnection, 'title' | 'file'>): Promise<ClientConfig> {
    const configs = await findClientConfigs(this.#node, this.#host);
    const config = configs.find((found) => found.file === file);
    if (config) return config;
    throw new Refusal(`${title} is no longer on this machine. Nothing was done.`);
  }

  /** Returns a planned change to a file, with the functions that apply, verify and undo it. */
  #changeOf(plan: ConnectionPlan) {
    const { config, file, name, change, before, after } = plan;
    const { title, config: form } = config.app;
    const { reload } = form;
    return {
      title,
      file,
      name,
      change,
      reload,
      lines: change === 'none' ? [] : shownDiff(plan),
      apply: async () => {
        if (change !== 'remove') await installRunning(this.#node, this.#host, this.#options);
        return applyConnection(this.#node, plan, new Date());
      },
      verify: async (onStep: (step: ConnectionStep) => void): Promise<boolean> => {
        const steps = await checkWrittenEntry(this.#node, this.#host, plan, {
          version: this.#options.version,
          onStep: (step) => onStep(toAppStep(step)),
        });
        return steps.every(({ isOk }) => isOk);
      },
      /** Removes an added entry but keeps the client's later changes; else restores the file. */
      undo: async (): Promise<void> => {
        const reverse =
          change === 'add'
            ? await planRemoval(this.#node, config, this.#options.vault)
            : ({ ...plan, before: after, after: before } as const);
        await applyConnection(this.#node, reverse, new Date());
      },
    };
  }
}

function toAppEntry({ client, file, name, steps, problem }: EntryReport) {
  return { title: displayName(client), file, name, problem, steps: steps.map(toAppStep) };
}

/** Replaces advice for users of a shell with advice for users of the app. */
function toAppStep(step: ConnectionStep): ConnectionStep {
  return { ...step, fix: step.fix.replace(RECONNECT_ADVICE, 'connect this app again') };
}
