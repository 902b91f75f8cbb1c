import fc from 'fast-check';
import { expect, it } from 'vitest';
import { answerLiveCall, CallRouter } from '../../src/bridge/call-router.js';
import type { LiveConnection } from '../../src/bridge/live-protocol.js';
import type { Projects } from '../../src/bridge/projects.js';
import type { Services } from '../../src/agents/services.js';
import { allStates, allWorkspaces } from '../../src/model/lookup.js';
import type { Answer } from '../../src/toolkit/answer.js';
import { Sessions } from '../../src/toolkit/sessions.js';
import type { Toolkit } from '../../src/toolkit/toolkit.js';
import { createTestClock } from '../fakes/deterministic.js';
import { createMemoryFiles } from '../fakes/memory-files.js';
import { createTestVault, garden, stateNamed } from '../fakes/test-vault.js';

const WORKSPACES = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Default'] as const;
type ClientIndex = 0 | 1;

const STATES = ['one', 'two', 'three', 'four'] as const;

const client = fc.constantFrom<ClientIndex[]>(0, 1);

const workspace = fc.constantFrom(...WORKSPACES);
const named = fc.option(workspace, { nil: undefined, freq: 3 });
const state = fc.constantFrom(...STATES);

const step = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), client, workspace }),
  fc.record({ kind: fc.constant('load' as const), client, workspace }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('save' as const), client, named, state }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('resume' as const), client, named, state }),
  },
  fc.record({
    kind: fc.constant('restart' as const),
    client,
    project: fc.option(fc.constantFrom('p1', 'p2', 'p3'), { nil: undefined, freq: 4 }),
  }),
  fc.record({ kind: fc.constant('focus' as const), workspace }),
  fc.record({ kind: fc.constant('toggle' as const) }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The rule, stated without the code that implements it. */
class Model {
  readonly workspaces = new Set<string>(['Default']);
  /** Names of states by workspace. */
  readonly states = new Map<string, Set<string>>([['Default', new Set()]]);
  readonly clients = [newClient(), newClient()] as const;
  readonly projects = new Map<string, string>();
  /** The workspace that is current in Obsidian. */
  focused = 'Default';
  isObsidianOpen = true;

  /**
   * Where an inferred call of a client happens. The second client reaches Obsidian while that is
   * open.
   */
  place(index: ClientIndex): string {
    const { entered, project } = this.clients[index];
    const ofProject = project === undefined ? undefined : this.projects.get(project);
    const ofObsidian = index === 1 && this.isObsidianOpen ? this.focused : 'Default';
    return entered ?? ofProject ?? ofObsidian;
  }

  /** True if neither the session nor the project has a workspace. */
  isNew(index: ClientIndex): boolean {
    const { entered, project } = this.clients[index];
    return entered === undefined && (project === undefined || !this.projects.has(project));
  }

  enter(index: ClientIndex, name: string): void {
    const one = this.clients[index];
    one.entered = name;
    one.failed.clear();
    this.use(index, name);
  }

  fail(index: ClientIndex, name: string): void {
    this.clients[index].failed.delete(name);
    this.clients[index].failed.add(name); // the latest is last
  }

  use(index: ClientIndex, name: string): void {
    const { project } = this.clients[index];
    if (project !== undefined) this.projects.set(project, name);
  }
}

interface ModelClient {
  entered: string | undefined;
  failed: Set<string>;
  project: string | undefined;
}

function newClient(): ModelClient {
  return { entered: undefined, failed: new Set(), project: undefined };
}

/**
 * Two clients of one vault: the first works on the folder, the second is answered by the plugin.
 */
function openClients() {
  const clock = createTestClock();
  const files = createMemoryFiles(() => clock.now());
  const folder = createTestVault({ files, clock, seed: 1 });
  const plugin = createTestVault({ files, clock, seed: 2 });
  let focused = 'default';
  let isOpen = true;
  let pluginToolkit: Toolkit<Services> = {
    ...plugin.toolkit,
    host: { ...plugin.toolkit.host, currentWorkspaceId: () => focused },
  };
  const stored = new Map<string, string>();
  const projects: Projects = {
    find({ client: key }) {
      const workspaceId = stored.get(key);
      return Promise.resolve(
        key === '' ? undefined : { key, ...(workspaceId !== undefined && { workspaceId }) },
      );
    },
    remember({ key }, workspaceId) {
      stored.set(key, workspaceId);
      return Promise.resolve();
    },
  };
  let keys = 0;
  const connection: LiveConnection = {
    call: async (call) => overSocket(await answerLiveCall(pluginToolkit, overSocket(call))),
    isOpen: () => isOpen,
    close: () => undefined,
  };
  const newRouter = (index: number) =>
    new CallRouter({
      toolkit: { ...folder.toolkit, sessions: new Sessions() },
      connect: () => Promise.resolve(index === 1 && isOpen ? connection : undefined),
      projects,
      newKey: () => `key ${++keys}`,
      after: () => () => undefined,
      report: (error) => {
        throw error;
      },
    });
  const processes = [0, 1].map((index) => ({
    router: newRouter(index),
    session: `s${index}`,
    project: '',
  }));
  let restarts = 0;
  return {
    files,
    plugin,
    reports: () => [...folder.reports, ...plugin.reports],
    focus(id: string) {
      focused = id;
    },
    /** Closes Obsidian, which then forgets its sessions, or opens it. */
    toggle() {
      isOpen = !isOpen;
      pluginToolkit = { ...pluginToolkit, sessions: new Sessions() };
    },
    restart(index: number, project: string | undefined) {
      const session = `restart ${++restarts}`;
      processes[index] = { router: newRouter(index), session, project: project ?? '' };
    },
    call(index: number, tool: string, params: object): Promise<Answer> {
      const { router, session, project } = processes[index]!;
      const location = { client: project, named: undefined, roots: [] };
      clock.advance(1);
      return router.call({ tool, params, defaults: { sessionId: session } }, undefined, location);
    },
  };
}

/** Returns what arrives of a message over the socket: JSON. */
function overSocket<T>(message: T): T {
  return JSON.parse(JSON.stringify(message)) as T;
}

type Clients = ReturnType<typeof openClients>;

/** Makes a step, and compares the answer with what the rule says. */
async function take(clients: Clients, model: Model, given: Step): Promise<void> {
  if (given.kind === 'focus') return focus(clients, model, given.workspace);
  if (given.kind === 'toggle') {
    clients.toggle();
    model.isObsidianOpen = !model.isObsidianOpen;
    return;
  }
  const own = model.clients[given.client];
  const context =
    'named' in given && given.named !== undefined ? { context: { workspaceId: given.named } } : {};
  switch (given.kind) {
    case 'restart':
      clients.restart(given.client, given.project);
      Object.assign(own, newClient(), { project: given.project });
      return;
    case 'create': {
      const params = { ...garden, name: given.workspace };
      const answer = await clients.call(given.client, 'createWorkspace', params);
      const isNew = !model.workspaces.has(given.workspace);
      expect(answer.success).toBe(isNew);
      if (!isNew) return model.fail(given.client, given.workspace);
      model.workspaces.add(given.workspace);
      model.states.set(given.workspace, new Set());
      return model.enter(given.client, given.workspace);
    }
    case 'load': {
      const answer = await clients.call(given.client, 'loadWorkspace', { name: given.workspace });
      const isThere = model.workspaces.has(given.workspace);
      expect(answer.success).toBe(isThere);
      if (isThere) model.enter(given.client, given.workspace);
      else model.fail(given.client, given.workspace);
      return;
    }
    case 'save': {
      const answer = await clients.call(given.client, 'createState', {
        ...stateNamed(given.state),
        ...context,
      });
      return checkSave(model, given, answer);
    }
    case 'resume': {
      const answer = await clients.call(given.client, 'loadState', {
        name: given.state,
        ...context,
      });
      return checkResume(model, given, answer);
    }
  }
}

async function focus(clients: Clients, model: Model, name: string): Promise<void> {
  const found = allWorkspaces(await clients.plugin.log.memory()).find(
    ({ item }) => item.name === name,
  );
  if (!found) return;
  clients.focus(found.item.id);
  model.focused = name;
}

function checkSave(model: Model, given: Step & { kind: 'save' }, answer: Answer): void {
  const { named: name, client: index } = given;
  if (name !== undefined && !model.workspaces.has(name)) {
    expect(answer.success).toBe(false);
    return;
  }
  const place = name ?? model.place(index);
  if (name === undefined) expect(answer.workspace).toBe(place);
  else expect(answer).not.toHaveProperty('workspace');
  const other = [...model.clients[index].failed].findLast((failed) => failed !== place);
  const isTaken = model.states.get(place)!.has(given.state);
  if (name === undefined && other !== undefined) {
    expect(answer).toMatchObject({
      success: false,
      error: expect.stringContaining(`"${place}"`) as string,
    });
    expect(answer).toMatchObject({ error: expect.stringContaining(`"${other}"`) as string });
    return;
  }
  expect(answer.success).toBe(!isTaken);
  if (isTaken) return;
  model.states.get(place)!.add(given.state);
  if (name === undefined || model.isNew(index)) model.use(index, place);
}

function checkResume(model: Model, given: Step & { kind: 'resume' }, answer: Answer): void {
  const { named: name, client: index, state: wanted } = given;
  if (name !== undefined && !model.workspaces.has(name)) {
    expect(answer.success).toBe(false);
    return;
  }
  const place = name ?? model.place(index);
  const places = [...model.workspaces].filter((one) => model.states.get(one)!.has(wanted));
  const isHere = places.includes(place);
  expect(answer.success).toBe(isHere || places.length === 1);
  if (!answer.success) {
    if (name === undefined) expect(answer.workspace).toBe(place);
    return;
  }
  const found = isHere ? place : places[0]!;
  if (name === undefined || !isHere) expect(answer.workspace).toBe(found);
  else expect(answer).not.toHaveProperty('workspace');
  if (name !== undefined || !isHere) model.enter(index, found);
}

it('every call happens where the rule says, and says so', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
      const [clients, model] = [openClients(), new Model()];
      for (const each of steps) await take(clients, model, each);
      const memory = await clients.plugin.log.memory();
      for (const { item } of allWorkspaces(memory)) {
        const names = allStates(memory, item.id).map(({ displayName }) => displayName);
        expect(names.sort()).toEqual([...model.states.get(item.name)!].sort());
      }
      expect(clients.reports()).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});
