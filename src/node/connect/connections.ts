import { Refusal } from '../../model/refusal.js';
import { surfaceNamed, USUAL_SURFACE, type Surface } from '../../toolkit/surfaces.js';
import type { NodeModules } from '../modules.js';
import { applyConnection } from './apply.js';
import { CLIENT_FACTS, findPlaces, type Host, type Place } from './clients.js';
import { entryText } from './config-text.js';
import { changedLines } from './connect-texts.js';
import { proveWritten } from './connect.js';
import { examine, type Check, type EntryReport } from './doctor.js';
import { createEntry, optionOf, ownEntries } from './entries.js';
import { findNode } from './find-node.js';
import { findProgram } from './find-program.js';
import {
  isSameFolder,
  planConnection,
  planRemoval,
  readPlace,
  type ConnectionPlan,
} from './plan.js';
import { AGAIN, type ProofStep } from './prove.js';

export interface ConnectionsOptions {
  /** The vault, absolute. */
  readonly vault: string;
  /** The file of the running program, absolute, and its version. */
  readonly running: string;
  readonly version: string;
  readonly dataFolder: () => string;
}

/** What a person chooses for a connection. */
interface Wishes {
  readonly surface: Surface | undefined;
  readonly agents: string;
  readonly isReadOnly: boolean;
}

/** The configuration file of a client, and how the client is connected to the vault there. */
interface Choice {
  readonly title: string;
  readonly file: string;
  readonly held: (Wishes & { readonly name: string }) | undefined;
  /** Why the file cannot be used; empty where it can be. */
  readonly trouble: string;
}

/** The connections of one vault, for a program that shows them by itself. What fails throws a `Refusal` in words. */
export function createConnections(
  node: NodeModules,
  host: Host,
  { vault, running, version, dataFolder }: ConnectionsOptions,
) {
  const program = () => findProgram(node, vault, running);

  async function describe(place: Place): Promise<Choice> {
    const { file } = place;
    const { title } = CLIENT_FACTS[place.client];
    try {
      for (const { name, args, vault: named } of ownEntries((await readPlace(node, place)).servers))
        if (await isSameFolder(node, named, vault)) {
          const surface = surfaceNamed(optionOf(args, 'surface')) ?? USUAL_SURFACE;
          const agents = optionOf(args, 'agents') ?? '';
          return {
            title,
            file,
            held: { name, surface, agents, isReadOnly: args.includes('--read-only') },
            trouble: '',
          };
        }
      return { title, file, held: undefined, trouble: '' };
    } catch (error) {
      if (error instanceof Refusal) return { title, file, held: undefined, trouble: error.message };
      throw error;
    }
  }

  async function placeOf({ title, file }: Pick<Choice, 'title' | 'file'>): Promise<Place> {
    const place = (await findPlaces(node, host)).find((found) => found.file === file);
    if (place) return place;
    throw new Refusal(`${title} is not on this machine any more. Nothing was done.`);
  }

  /** One change to a file, and how it is made, proved and taken back. */
  function changeOf(plan: ConnectionPlan) {
    const { place, file, name, change, before, after } = plan;
    const { title, reload } = CLIENT_FACTS[place.client];
    return {
      title,
      file,
      name,
      change,
      reload,
      lines: change === 'none' ? [] : changedLines(before ?? '', after ?? ''),
      apply: () => applyConnection(node, plan, new Date()),
      async prove(onStep: (step: ProofStep) => void): Promise<boolean> {
        const steps = await proveWritten(node, host, plan, {
          version,
          onStep: (step) => onStep(inApp(step)),
        });
        return steps.every(({ isDone }) => isDone);
      },
      /** An entry that was added is taken out of what the client has made of the file since; else the file is as it was. */
      async undo(): Promise<void> {
        const back =
          change === 'add'
            ? await planRemoval(node, place, vault)
            : ({ ...plan, before: after, after: before } as const);
        await applyConnection(node, back, new Date());
      },
    };
  }

  return {
    /** The clients that are on this machine. */
    apps: async () => Promise.all((await findPlaces(node, host)).map(describe)),
    async plan(app: Choice, wishes: Wishes) {
      const command = { node: await findNode(node, host), program: await program() };
      return changeOf(
        await planConnection(node, await placeOf(app), { ...wishes, vault, ...command }),
      );
    },
    planRemoval: async (app: Choice) =>
      changeOf(await planRemoval(node, await placeOf(app), vault)),
    /** Proves every connection to this vault, and looks at what they work on. */
    async check() {
      const { isWell, entries, vaults } = await examine(node, host, {
        vault,
        version,
        dataFolder: dataFolder(),
      });
      return {
        isWell,
        entries: entries.map(entryInApp),
        checks: vaults.flatMap(({ checks }): readonly Check[] => checks),
      };
    },
    /** An entry for an app that is not known here, as JSON. */
    async configText(): Promise<string> {
      const wish = { vault, surface: undefined, isReadOnly: false };
      const entry = createEntry(
        'claude-desktop',
        await findNode(node, host),
        await program(),
        wish,
      );
      return entryText(
        'json',
        { section: CLIENT_FACTS['claude-desktop'].section, name: 'savepoint' },
        entry,
      );
    },
  };
}

function entryInApp({ client, file, name, steps, trouble }: EntryReport) {
  return { title: CLIENT_FACTS[client].title, file, name, trouble, steps: steps.map(inApp) };
}

/** In an app nobody runs commands. */
function inApp(step: ProofStep): ProofStep {
  return { ...step, mend: step.mend.replace(AGAIN, 'connect this app again') };
}
