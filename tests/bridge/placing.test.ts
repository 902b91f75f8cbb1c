import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Services } from '../../src/agents/services.js';
import { answerLiveCall, CallRouter } from '../../src/bridge/call-router.js';
import type { LiveConnection } from '../../src/bridge/live-protocol.js';
import { allStates, allWorkspaces } from '../../src/model/lookup.js';
import {
  createCaptureSettingsFile,
  type CaptureSettingsFile,
} from '../../src/node/capture/capture-settings-file.js';
import { createDeviceProjects } from '../../src/node/projects/device-projects.js';
import { linkKeys } from '../../src/node/projects/find-link.js';
import { projectOfFolder } from '../../src/node/projects/find-project.js';
import type { Answer } from '../../src/toolkit/answer.js';
import { Sessions } from '../../src/toolkit/sessions.js';
import type { Toolkit } from '../../src/toolkit/toolkit.js';
import { createTestClock } from '../fakes/deterministic.js';
import { createMemoryFiles } from '../fakes/memory-files.js';
import { temporaryFolder } from '../fakes/program.js';
import { createTestVault, garden, stateNamed } from '../fakes/test-vault.js';
import { node } from '../node/folders.js';
import { perTier, SEED } from '../tier.js';

const WORKSPACES = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Default'] as const;
const PROJECTS = ['p1', 'p2', 'p3'] as const;
const CLIENTS = ['claude-code', 'codex-mcp-client', 'opencode'] as const;
const STATES = ['one', 'two', 'three', 'four'] as const;
/** The client whose calls reach Obsidian while that is open. */
const LIVE_CLIENT = 'opencode';

type ClientName = (typeof CLIENTS)[number];
type ProjectName = (typeof PROJECTS)[number];

const client = fc.constantFrom<ClientName[]>(...CLIENTS);
const project = fc.constantFrom<ProjectName[]>(...PROJECTS);
const workspace = fc.constantFrom(...WORKSPACES);
const named = fc.option(workspace, { nil: undefined, freq: 3 });
const state = fc.constantFrom(...STATES);

const step = fc.oneof(
  fc.record({ kind: fc.constant('link' as const), project, workspace }),
  fc.record({ kind: fc.constant('unlink' as const), project }),
  fc.record({ kind: fc.constant('create' as const), client, workspace }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('load' as const), client, workspace }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('save' as const), client, named, state }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('resume' as const), client, named, state }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('restart' as const),
      client,
      project: fc.option(project, { nil: undefined, freq: 6 }),
    }),
  },
  fc.record({ kind: fc.constant('focus' as const), workspace }),
  fc.record({ kind: fc.constant('toggle' as const) }),
);

/** The workspaces that are there, and the projects in which the clients start. */
const start = fc.record({
  workspaces: fc.subarray([...WORKSPACES.slice(0, 4)], { minLength: 2 }),
  projects: fc.tuple(project, project, project),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>;

interface ModelSession {
  /** Set by createWorkspace, loadWorkspace, and by resuming. */
  entered: string | undefined;
  hasSaved: boolean;
  hasDefaultNotice: boolean;
  failed: Set<string>;
  project: ProjectName | undefined;
}

/** The rule of the design, stated without the code that implements it. */
class Model {
  /** Names of states by workspace. */
  readonly states = new Map<string, Set<string>>([['Default', new Set()]]);
  readonly sessions = new Map<ClientName, ModelSession>();
  readonly links = new Map<ProjectName, string>();
  /** By project: the uses, `[client, workspace]`, in order. */
  readonly uses = new Map<ProjectName, [ClientName, string][]>();
  /** The workspace that is current in Obsidian. */
  focused = 'Default';
  isObsidianOpen = true;

  session(name: ClientName): ModelSession {
    const known = this.sessions.get(name);
    return known ?? this.restart(name, undefined);
  }

  restart(name: ClientName, of: ProjectName | undefined): ModelSession {
    const facts = { entered: undefined, hasSaved: false, hasDefaultNotice: false };
    const session = { ...facts, failed: new Set<string>(), project: of };
    this.sessions.set(name, session);
    return session;
  }

  link(name: ClientName): string | undefined {
    const { project: of } = this.session(name);
    return of && this.links.get(of);
  }

  /** What led to the place of a call that names no workspace, in the order of the rule. */
  #candidates(name: ClientName): (string | undefined)[] {
    const { entered, project: of } = this.session(name);
    const uses = (of && this.uses.get(of)) ?? [];
    return [
      entered,
      this.link(name),
      uses.findLast(([by]) => by === name)?.[1],
      uses.at(-1)?.[1],
      name === LIVE_CLIENT && this.isObsidianOpen ? this.focused : undefined,
    ];
  }

  place(name: ClientName): string {
    return this.#candidates(name).find((each) => each !== undefined) ?? 'Default';
  }

  /** True if nothing but Obsidian's current workspace says where the client's calls happen. */
  isUnknown(name: ClientName): boolean {
    return this.#candidates(name)
      .slice(0, 4)
      .every((each) => each === undefined);
  }

  /** True if loading a state of another workspace moves nothing. */
  isSettled(name: ClientName): boolean {
    const { entered, hasSaved } = this.session(name);
    return entered !== undefined || hasSaved || this.link(name) !== undefined;
  }

  enter(name: ClientName, to: string): void {
    const session = this.session(name);
    session.entered = to;
    session.failed.clear();
  }

  fail(name: ClientName, what: string): void {
    const { failed } = this.session(name);
    failed.delete(what);
    failed.add(what); // the latest is last
  }

  use(name: ClientName, what: string): void {
    const { project: of } = this.session(name);
    if (of) this.uses.set(of, [...(this.uses.get(of) ?? []), [name, what]]);
  }
}

/** Clients of one vault. All but one work on the folder. */
class World {
  readonly #clock = createTestClock();
  readonly #files = createMemoryFiles(() => this.#clock.now());
  readonly folder = createTestVault({ files: this.#files, clock: this.#clock, seed: 1 });
  readonly plugin = createTestVault({ files: this.#files, clock: this.#clock, seed: 2 });
  readonly #at: string;
  readonly #vault: string;
  readonly #links: CaptureSettingsFile;
  #focused = 'default';
  #isOpen = true;
  #pluginToolkit: Toolkit<Services> = {
    ...this.plugin.toolkit,
    host: { ...this.plugin.toolkit.host, currentWorkspaceId: () => this.#focused },
  };
  readonly #processes = new Map<
    ClientName,
    { router: CallRouter<Services>; session: string; roots: string[] }
  >();
  #count = 0;

  constructor(parent: string, number: number) {
    this.#at = join(parent, `${number}`);
    this.#vault = join(this.#at, 'vault');
    for (const name of ['vault', ...PROJECTS]) mkdirSync(join(this.#at, name), { recursive: true });
    this.#links = createCaptureSettingsFile(node, join(this.#at, 'state'));
    for (const name of CLIENTS) this.restart(name, undefined);
  }

  /** Returns what Obsidian tells a client that asks where it is. */
  hostWorkspaceId(name: ClientName): Promise<string | undefined> {
    return this.#processes.get(name)!.router.hostWorkspaceId();
  }

  reports(): unknown[] {
    return [...this.folder.reports, ...this.plugin.reports];
  }

  async idOf(name: string): Promise<string | undefined> {
    const all = allWorkspaces(await this.plugin.log.memory());
    return all.find(({ item }) => item.name === name)?.item.id;
  }

  focus(id: string): void {
    this.#focused = id;
  }

  /** Closes Obsidian, which then forgets its sessions, or opens it. */
  toggle(): void {
    this.#isOpen = !this.#isOpen;
    this.#pluginToolkit = { ...this.#pluginToolkit, sessions: new Sessions() };
  }

  async link(name: ProjectName, workspaceId: string | undefined): Promise<void> {
    const folder = join(this.#at, name);
    const found = await projectOfFolder(node, folder, []);
    const keys = found ? await linkKeys(found) : [];
    await this.#links.update((settings) => {
      const others = settings.links.filter((each) => each.folder !== folder);
      if (workspaceId === undefined) return { ...settings, links: others };
      const where = { project: name, folder, keys, vault: this.#vault };
      const link = { ...where, workspaceId, workspaceName: '', capture: 'off' } as const;
      return { ...settings, links: [...others, link] };
    });
  }

  restart(name: ClientName, of: ProjectName | undefined): void {
    const connection: LiveConnection = {
      call: async (call) => overSocket(await answerLiveCall(this.#pluginToolkit, overSocket(call))),
      isOpen: () => this.#isOpen,
      close: () => undefined,
    };
    const projects = createDeviceProjects(
      { ...node, path: { ...node.path, resolve: () => '/' } }, // the process works in no project
      { vault: this.#vault, env: {}, platform: process.platform },
      { deviceFolder: join(this.#at, 'device'), links: this.#links, report },
    );
    const router = new CallRouter({
      toolkit: { ...this.folder.toolkit, sessions: new Sessions() },
      connect: () => Promise.resolve(name === LIVE_CLIENT && this.#isOpen ? connection : undefined),
      projects,
      newKey: () => `key ${++this.#count}`,
      after: () => () => undefined,
      report,
    });
    const roots = of ? [pathToFileURL(join(this.#at, of)).href] : [];
    this.#processes.set(name, { router, session: `session ${++this.#count}`, roots });
  }

  call(name: ClientName, tool: string, params: object): Promise<Answer> {
    const { router, session, roots } = this.#processes.get(name)!;
    this.#clock.advance(1);
    const defaults = { sessionId: session, client: name };
    const location = { client: name, named: undefined, roots };
    return router.call({ tool, params, defaults }, undefined, location);
  }
}

function report(error: unknown): never {
  throw error;
}

/** Returns what arrives of a message over the socket: JSON. */
function overSocket<T>(message: T): T {
  return JSON.parse(JSON.stringify(message)) as T;
}

/** Makes a step, and compares the answer with what the rule says. */
async function take(world: World, model: Model, given: Step): Promise<void> {
  switch (given.kind) {
    case 'focus': {
      const id = await world.idOf(given.workspace);
      if (id === undefined) return;
      world.focus(id);
      model.focused = given.workspace;
      expect(await world.hostWorkspaceId(LIVE_CLIENT)).toBe(model.isObsidianOpen ? id : undefined);
      return;
    }
    case 'toggle':
      world.toggle();
      model.isObsidianOpen = !model.isObsidianOpen;
      return;
    case 'link': {
      const id = await world.idOf(given.workspace);
      if (id === undefined) return;
      await world.link(given.project, id);
      model.links.set(given.project, given.workspace);
      return;
    }
    case 'unlink':
      await world.link(given.project, undefined);
      model.links.delete(given.project);
      return;
    case 'restart':
      world.restart(given.client, given.project);
      model.restart(given.client, given.project);
      return;
    case 'create':
    case 'load':
      return enter(world, model, given);
    case 'save':
      return save(world, model, given);
    case 'resume':
      return resume(world, model, given);
  }
}

async function enter(
  world: World,
  model: Model,
  { kind, client: by, workspace: name }: StepOf<'create' | 'load'>,
): Promise<void> {
  const isThere = model.states.has(name);
  const answer =
    kind === 'create'
      ? await world.call(by, 'createWorkspace', { ...garden, name })
      : await world.call(by, 'loadWorkspace', { name });
  expect(answer.success).toBe(kind === 'create' ? !isThere : isThere);
  if (!answer.success) return model.fail(by, name);
  if (!isThere) model.states.set(name, new Set());
  model.enter(by, name);
  model.use(by, name);
}

const withWorkspace = (name: string | undefined) =>
  name === undefined ? {} : { context: { workspaceId: name } };

async function save(
  world: World,
  model: Model,
  { client: by, named: name, state: saved }: StepOf<'save'>,
): Promise<void> {
  const params = { ...stateNamed(saved), ...withWorkspace(name) };
  const answer = await world.call(by, 'createState', params);
  if (name !== undefined && !model.states.has(name)) {
    expect(answer.success).toBe(false);
    return;
  }
  const session = model.session(by);
  const place = name ?? model.place(by);
  expect(answer.workspace).toBe(name === undefined ? place : undefined);
  const other = [...session.failed].findLast((failed) => failed !== place);
  if (name === undefined && other !== undefined) {
    expect(answer.success).toBe(false);
    for (const each of [place, other]) expect(JSON.stringify(answer)).toContain(`\\"${each}\\"`);
    return;
  }
  const isNew = !model.states.get(place)!.has(saved);
  expect(answer.success).toBe(isNew);
  if (!isNew) return;
  const isLost = name === undefined && place === 'Default' && model.isUnknown(by);
  const hasNotice = isLost && !session.hasDefaultNotice;
  expect(answer.notice?.includes('createWorkspace') ?? false).toBe(hasNotice);
  session.hasDefaultNotice ||= hasNotice;
  model.states.get(place)!.add(saved);
  session.hasSaved = true;
  if (name === undefined) model.use(by, place);
}

async function resume(
  world: World,
  model: Model,
  { client: by, named: name, state: wanted }: StepOf<'resume'>,
): Promise<void> {
  const answer = await world.call(by, 'loadState', { name: wanted, ...withWorkspace(name) });
  if (name !== undefined && !model.states.has(name)) {
    expect(answer.success).toBe(false);
    return;
  }
  const place = name ?? model.place(by);
  const places = [...model.states].flatMap(([each, states]) => (states.has(wanted) ? [each] : []));
  const isHere = places.includes(place);
  expect(answer.success).toBe(isHere || places.length === 1);
  if (!answer.success) {
    expect(answer.workspace).toBe(name === undefined ? place : undefined);
    return;
  }
  const found = isHere ? place : places[0]!;
  expect(answer.workspace).toBe(name === undefined || !isHere ? found : undefined);
  const own = model.place(by);
  const isElsewhere = found !== own;
  const stays = isElsewhere && model.isSettled(by);
  expect(answer.notice?.includes(`Later saves stay in "${own}"`) ?? false).toBe(stays);
  if (isElsewhere && !stays) model.enter(by, found);
  const { entered, project: of } = model.session(by);
  if (of && entered === found && !model.uses.has(of)) model.use(by, found);
}

it('every call happens where the rule says, and says so', { timeout: 600_000 }, async () => {
  const parent = realpathSync(temporaryFolder('places'));
  let number = 0;
  await fc.assert(
    fc.asyncProperty(start, fc.array(step, { minLength: 8, maxLength: 24 }), async (at, steps) => {
      const [world, model] = [new World(parent, ++number), new Model()];
      for (const name of at.workspaces)
        await take(world, model, { kind: 'create', client: LIVE_CLIENT, workspace: name });
      for (const [index, name] of CLIENTS.entries())
        await take(world, model, { kind: 'restart', client: name, project: at.projects[index] });
      for (const each of steps) await take(world, model, each);
      const memory = await world.plugin.log.memory();
      for (const { item } of allWorkspaces(memory)) {
        const names = allStates(memory, item.id).map(({ displayName }) => displayName);
        expect(names.sort()).toEqual([...model.states.get(item.name)!].sort());
      }
      expect(world.reports()).toEqual([]);
    }),
    { numRuns: perTier(20, 400, 5000), seed: SEED },
  );
});
