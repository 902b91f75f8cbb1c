import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { displayName } from '../../src/apps/index.js';
import { PROGRAM } from '../fakes/program.js';
import { stateNamed } from '../fakes/test-vault.js';
import { lateCount } from '../fakes/told-project.js';
import { createFolder } from '../node/folders.js';
import { startModelServer, SUMMARY, type ModelServer, type Step } from './model-server.js';
import { availableClients, type AvailableClient } from './packaged-clients.js';
import type { ModelRequest } from './protocols.js';
import { programsWith, REAL_AGENTS } from './real-agents.js';
import { createHome, runClient, type ClientHome } from './real-clients.js';
import { CALLS, DELEGATIONS, linesWith, RULES, toldLines, type Id } from './told-apps.js';

const SETUP_TIMEOUT_MS = 30 * 60_000;
const BRIEF = 'Brief of workspace';
const ORDINARY = 'Thanks, that looks good. Go on, please.';
const END: Step = { text: 'That is all.' };

/** A machine that is too busy to tell anything is not waited for longer. */
const MAX_LATE = 5;

/** A background process may take a minute. */
const QUIET_WITHIN = { timeout: 120_000, interval: 100 };

/** Reasons why an agent is told nothing. */
const SILENCES = ['unlinked', 'paused', 'private', 'excluded', 'off'] as const;

/** A file that a session has written, with what the user has said about it, and one of a state. */
const writtenBy = (id: Id) => `written-by-${id}.md`;
const decidedBy = (id: Id) => `decided-by-${id}.md`;
const said = (id: Id) => `In ${writtenBy(id)} every entry stays on one line.`;
const decided = (id: Id) => `Keep the order of the entries of ${id}`;

/** Files of which the first session has said the same. */
const TABLES = ['north.csv', 'south.csv'];
const TABLES_RULE = `The salinity columns of ${TABLES.join(' and ')} stay in grams per litre.`;
const TABLES_PROMPT = 'Check the salinity columns, in grams per litre.';

/** Codex compacts the conversation once it has used this many tokens. */
const CODEX_LIMIT = 20_000;

const clients = availableClients();
const available = clients.filter((client) => 'bin' in client);
const pairs = available.flatMap((source) =>
  available
    .filter((target) => target !== source)
    .map((target) => ({ source, target, title: `${source.id} to ${target.id}` })),
);
/** Each app with the one before it. */
const ring = available.map((target, at) => ({ target, source: available.at(at - 1)! }));
if (available.some(({ id }) => id === 'gemini'))
  console.warn('Skipped for gemini: it calls no hook after a compaction, nor for a subagent');
const silences = available.flatMap((client) => SILENCES.map((silence) => ({ client, silence })));

describe.skipIf(process.platform === 'win32' || available.length < 2)(
  'what real clients are told',
  () => {
    let server: ModelServer;
    let folder: string;
    let home: ClientHome;
    let offProject: string;
    let excludedProject: string;
    const envs = new Map<string, NodeJS.ProcessEnv>();

    const savepoint = async (args: readonly string[], cwd = home.project): Promise<void> => {
      const run = await runClient(process.execPath, [PROGRAM, ...args], cwd, home.env);
      expect(run).toMatchObject({ code: 0 });
    };
    const link = (cwd: string, tell: string) => {
      const place = ['--workspace', 'Default', '--vault', home.vault];
      return savepoint(['link', ...place, '--capture', 'all', '--tell', tell], cwd);
    };

    beforeAll(async () => {
      server = await startModelServer();
      folder = createFolder();
      for (const client of available) {
        home = createHome(folder, client, 'bin' in client ? client.bin : '', server.url);
        envs.set(client.id, home.env);
      }
      [offProject = '', excludedProject = ''] = ['off', 'excluded'].map((name) =>
        join(folder, name),
      );
      for (const project of [offProject, excludedProject]) mkdirSync(project);
      await link(home.project, 'all');
      await link(offProject, 'off');
      await link(excludedProject, 'all');
      await savepoint(['links', '--exclude', excludedProject]);
      for (const client of available) {
        await savepoint(['connect', client.id, '--vault', home.vault, '--hooks']);
        client.configure?.(folder, server.url);
      }
      for (const client of available) await beSource(client);
    }, SETUP_TIMEOUT_MS);

    afterAll(() => server?.close());

    const inProject = (name: string) => join(home.project, name);
    const quietly = () => vi.waitFor(() => expect(programsWith(folder)).toEqual([]), QUIET_WITHIN);
    const toldLog = () => readFileSync(stateFile('capture/told.log'), 'utf8');
    const stateFile = (name: string) => join(folder, '.local/state/savepoint', name);

    /** Lets an app state a rule in one session, and write and save in another one. */
    async function beSource(client: AvailableClient): Promise<void> {
      const { id } = client;
      const { write } = REAL_AGENTS.find((agent) => agent.client === id)!;
      const hear = (prompt: string, steps: readonly Step[] = []) =>
        runTurn(client, client.start(prompt), steps, { retries: 0 });
      const create = (name: string) => write(inProject(name), 'One line');
      await hear(`Plan the week.\n\n${RULES[id].rule}`);
      writeFileSync(inProject(decidedBy(id)), 'One line\n');
      const saved = { decisions: [decided(id)], activeFiles: [decidedBy(id)] };
      await hear(`Begin the list.\n\n${said(id)}`, [
        create(writtenBy(id)),
        { tool: 'createState', args: stateNamed(`Entries of ${id}`, saved) },
      ]);
      if (client === available[0])
        await hear(`Copy the tables.\n\n${TABLES_RULE}`, TABLES.map(create));
    }

    interface TurnOptions {
      readonly cwd?: string;
      readonly env?: NodeJS.ProcessEnv;
      /** Words in the requests of a subagent. */
      readonly subagent?: string;
      /** How often it is tried again if a busy machine has made a hook too late. */
      readonly retries?: number;
    }

    /**
     * Runs a client with a script for its model until all that it starts has ended, and repeats
     * that if a busy machine has made a hook too late. Returns the requests of the model.
     */
    async function runTurn(
      client: AvailableClient,
      [first = '', ...args]: readonly string[],
      steps: readonly Step[] = [],
      { cwd = home.project, env = {}, subagent, retries = MAX_LATE }: TurnOptions = {},
    ): Promise<ModelRequest[]> {
      const all = [first, ...client.trust, ...args];
      for (let left = retries; ; left--) {
        const late = lateCount(stateFile(''));
        server.script([...steps, END], subagent);
        const run = await runClient(client.program, all, cwd, { ...envs.get(client.id), ...env });
        const requests = [...server.requests];
        expect({ ...run, problems: server.problems }).toMatchObject({ code: 0, problems: [] });
        await quietly();
        if (lateCount(stateFile('')) === late || left === 0) return requests;
      }
    }

    it.each(available)('$id is told nothing at an ordinary prompt', async (client) => {
      const requests = await runTurn(client, client.start(ORDINARY));
      expect(requests.map(toldLines)).toEqual([[]]);
    });

    it.each(pairs)('a rule reaches the other app: $title', async ({ source, target }) => {
      const { rule, prompt } = RULES[source.id];
      const [request] = await runTurn(target, target.start(prompt));
      expect(linesWith(request, rule)).toEqual([
        expect.stringMatching(`^- The user in ${displayName(source.id)}, .*: "`),
      ]);
    });

    it.each(ring)(
      'a decision about a file is there before $target.id changes it',
      async ({ source, target }) => {
        const { read, edit } = CALLS[target.id];
        const files = [writtenBy(source.id), decidedBy(source.id)].map(inProject);
        const steps = files.flatMap((file) => [read(file), edit(file)]);
        const requests = await runTurn(target, target.start('Have a look.'), steps);
        const counts = (words: string) =>
          requests.map((request) => linesWith(request, words).length);
        expect(counts(said(source.id))).toEqual([0, 1, 1, 1, 1]);
        expect(counts(decided(source.id))).toEqual([0, 0, 0, 1, 1]);
        for (const file of files) expect(readFileSync(file, 'utf8')).toContain('Another line');
      },
    );

    it.each(
      ring.flatMap(({ source, target: { id, ...target } }) =>
        id === 'gemini' ? [] : [{ source, target: { id, ...target }, ...DELEGATIONS[id] }],
      ),
    )(
      'a subagent of $target.id begins with what its session was told',
      async ({ source, target, args, steps, words }) => {
        const { rule, prompt } = RULES[source.id];
        const [first = '', ...others] = target.start(prompt);
        const all = [first, ...args, ...others];
        const requests = await runTurn(target, all, steps, { subagent: words });
        const own = requests.find(({ text }) => text.includes(words));
        expect(linesWith(requests[0], rule)).toHaveLength(1);
        expect(linesWith(own, rule)).toHaveLength(1);
      },
    );

    it.each(silences)('$client.id is told nothing: $silence', async ({ client, silence }) => {
      const source = available.find((each) => each !== client)!;
      const { rule, prompt } = RULES[source.id];
      const folders: Partial<Record<(typeof SILENCES)[number], string>> = {
        unlinked: home.otherProject,
        excluded: excludedProject,
        off: offProject,
      };
      const cwd = folders[silence] ?? home.project;
      const before = toldLog();
      if (silence === 'paused') {
        await savepoint(['links', '--pause']);
        onTestFinished(() => savepoint(['links', '--resume']));
      }
      const env = silence === 'private' ? { SAVEPOINT_PRIVATE: '1' } : {};
      const file = join(cwd, writtenBy(source.id));
      if (cwd !== home.project) writeFileSync(file, 'One line\n');
      const requests = await runTurn(client, client.start(prompt), [CALLS[client.id].read(file)], {
        cwd,
        env,
      });
      expect(requests.map(toldLines)).toEqual([[], []]);
      expect(toldLog()).toBe(before);
      const hasBrief = requests.some(({ text }) => text.includes(BRIEF) || text.includes(rule));
      expect(hasBrief).toBe(silence === 'paused');
    });

    it('the project that was told nothing is told once it wants it', async () => {
      const [source, client] = available;
      await link(offProject, 'all');
      const { rule, prompt } = RULES[source!.id];
      await runTurn(client!, client!.start(ORDINARY), [], { cwd: offProject });
      const [request] = await runTurn(client!, client!.start(prompt), [], { cwd: offProject });
      expect(linesWith(request, rule)).toHaveLength(1);
    });

    it.each(available)('$id is told once of two files read at once', async (client) => {
      const { read } = CALLS[client.id];
      const [north, south] = TABLES.map((name) => read(inProject(name)));
      const both = { ...north!, also: [south!] };
      const requests = await runTurn(client, client.start('Have a look.'), [both, north!]);
      const counts = requests.map((request) => linesWith(request, TABLES_RULE).length);
      expect(counts).toEqual([0, 1, 1]);
      expect(requests[1]?.results).toHaveLength(2);
    });

    it.each(available)('$id is told once in a session that goes on', async (client) => {
      const reads = TABLES.map((name) => CALLS[client.id].read(inProject(name)));
      const requests = await runTurn(client, client.start(TABLES_PROMPT), reads);
      requests.push(...(await runTurn(client, client.resume(TABLES_PROMPT), reads)));
      const counts = requests.map((request) => linesWith(request, TABLES_RULE).length);
      expect(counts).toEqual([1, 1, 1, 1, 1, 1]);
    });

    it.runIf(available.some(({ id }) => id === 'claude-code'))(
      'Claude Code is told again after a compaction',
      async () => {
        const claude = available.find(({ id }) => id === 'claude-code')!;
        const [first] = await runTurn(claude, claude.start(TABLES_PROMPT));
        expect(linesWith(first, TABLES_RULE)).toHaveLength(1);
        for (const page of ['one', 'two', 'three'])
          await runTurn(claude, claude.resume(`Write page ${page}.`));
        await runTurn(claude, claude.resume('/compact'), [{ text: 'A summary of it all.' }]);
        const [next] = await runTurn(claude, claude.resume(TABLES_PROMPT));
        expect(next?.text).toContain('A summary of it all.');
        expect(linesWith(next, TABLES_RULE)).toHaveLength(1);
      },
    );

    it.runIf(available.some(({ id }) => id === 'codex'))(
      'Codex is told again after a compaction',
      async () => {
        const codex = available.find(({ id }) => id === 'codex')!;
        const [exec = '', ...rest] = codex.start(TABLES_PROMPT);
        const limit = ['-c', `model_auto_compact_token_limit=${CODEX_LIMIT}`];
        const full = { tool: 'listStates', args: {}, tokens: CODEX_LIMIT + 5000 };
        const steps = [full, CALLS.codex.read(inProject(TABLES[0]!))];
        const requests = await runTurn(codex, [exec, ...limit, ...rest], steps);
        const counts = requests.map((request) => linesWith(request, TABLES_RULE).length);
        expect(requests.at(-1)?.text).toContain(SUMMARY);
        expect(counts).toEqual([1, 0, 1]);
      },
    );
  },
);
