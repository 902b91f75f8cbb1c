import { connect, temporaryFolder, type Connection } from '../fakes/program.js';
import { stateNamed } from '../fakes/test-vault.js';
import type { Ledger } from './ledger.js';
import { list, type ListedWorkspace } from './listing.js';

const PAUSE_MS = 300;

/** One of the two sides: the program on its folder, and an agent that uses it. */
export interface Device {
  readonly vault: string;
  /**
   * Saves a number of states, mixed with workspaces, updates and archivings. Pauses sometimes so
   * that files sync.
   */
  readonly work: (states: number) => Promise<void>;
  /** Like `work`, but without pauses. */
  readonly workHard: (states: number) => Promise<void>;
  /** Saves a state in the default workspace. The same name and description mean the same state. */
  readonly save: (name: string, description: string) => Promise<void>;
  readonly createWorkspace: (name: string, description: string) => Promise<void>;
  /** Returns the lists of the running program. */
  readonly list: () => Promise<ListedWorkspace[]>;
  /** Starts the program unless it is running. */
  readonly open: () => Promise<void>;
  /** Ends the program gracefully. */
  readonly close: () => Promise<void>;
}

/** `side` is a letter that is part of every name that this side saves. */
export function createDevice(side: string, vault: string, ledger: Ledger): Device {
  const stateFolder = temporaryFolder('state');
  let connection: Connection | undefined;
  let count = 0;
  let current = 'default';
  let previous: string | undefined;

  /** True when the call was acknowledged. */
  async function call(tool: string, params: Record<string, unknown>): Promise<boolean> {
    if (!connection) throw new Error('open() comes first');
    const answer = await connection.call(tool, params);
    if (!answer.success) ledger.refusals.push(`${side} ${tool}: ${answer.error}`);
    return answer.success;
  }

  async function saveIn(workspaceId: string, name: string, description: string): Promise<void> {
    const conversationContext = `We talked about "${name}" and came to a conclusion that is worth a line.`;
    const params = stateNamed(name, { description, conversationContext, context: { workspaceId } });
    if (await call('createState', params)) ledger.states.set(description, { isArchived: false });
  }

  async function createWorkspace(name: string, description: string): Promise<void> {
    const params = { name, description, rootFolder: `Projects/${name}`, purpose: 'none yet' };
    if (await call('createWorkspace', params))
      ledger.workspaces.set(description, { purpose: 'none yet', isArchived: false });
  }

  async function archiveState(name: string): Promise<void> {
    if (await call('archiveState', { name, context: { workspaceId: current } }))
      ledger.states.set(name, { isArchived: true });
  }

  async function update(name: string, purpose: string): Promise<void> {
    const preferences = { [`of-${side}`]: purpose };
    if (await call('updateWorkspace', { name, purpose, preferences }))
      ledger.workspaces.set(name, { purpose, isArchived: false });
  }

  async function archiveWorkspace(name: string): Promise<void> {
    const held = ledger.workspaces.get(name);
    if ((await call('archiveWorkspace', { name })) && held)
      ledger.workspaces.set(name, { ...held, isArchived: true });
  }

  async function step(): Promise<void> {
    const index = ++count;
    if (index % 20 === 1) {
      if (previous !== undefined) await archiveWorkspace(previous);
      previous = current === 'default' ? undefined : current;
      current = `${side} project ${index}`;
      await createWorkspace(current, current);
    }
    const name = `${side} state ${index}`;
    await saveIn(current, name, name);
    if (index % 10 === 5) await archiveState(name);
    if (index % 5 === 2) await update(current, `${side} purpose ${index}`);
    // Both sides write to this workspace. The later write wins on both.
    if (index % 7 === 3)
      await call('updateWorkspace', { name: 'Default', purpose: `${side} purpose ${index}` });
  }

  return {
    vault,
    createWorkspace,
    async work(states) {
      for (let done = 1; done <= states; done++) {
        await step();
        if (done % 8 === 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    },
    async workHard(states) {
      for (let done = 0; done < states; done++) await step();
    },
    save: (name, description) => saveIn('default', name, description),
    async list() {
      if (!connection) throw new Error('open() comes first');
      return list(connection);
    },
    async open() {
      connection ??= await connect(vault, stateFolder, '--create');
    },
    async close() {
      await connection?.client.close();
      connection = undefined;
    },
  };
}
