import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestRandom } from '../fakes/deterministic.js';
import { KILLS, SEED } from '../tier.js';
import { startModelServer, SUMMARY, type ModelServer, type Step } from './model-server.js';
import { REAL_AGENTS } from './real-agents.js';
import {
  availableClients,
  createPackagedHome,
  STATE_TASK,
  type AvailableClient,
  type PackagedHome,
} from './packaged-clients.js';

const BRIEF = 'Brief of workspace';
const SETUP_TIMEOUT_MS = 30 * 60_000;
const MIN_SHARE = 0.99;
/** Where the clients keep the transcripts of their sessions, relative to the home folder. */
const TRANSCRIPTS = {
  'claude-code': '.claude/projects',
  codex: '.codex/sessions',
  gemini: '.gemini/tmp',
};
/** Codex compacts the conversation once it has used this many tokens. */
const CODEX_LIMIT = 20_000;
/** Gemini CLI compacts it above a share of the model's window. */
const GEMINI_WINDOW = 1_048_576;
const GEMINI_TOKENS = 20_000;

const clients = availableClients();
const available = clients.filter((client) => 'bin' in client);

/** Returns the texts of all files below a folder as one. */
function textsBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .join('\n');
}

const countOf = (text: string, part: string) => text.split(part).length - 1;

describe.skipIf(process.platform === 'win32' || available.length === 0)(
  'capture in real clients',
  () => {
    let server: ModelServer;
    let home: PackagedHome;

    beforeAll(async () => {
      server = await startModelServer();
      home = await createPackagedHome(available, server.url);
      expect(home.results.filter(({ code }) => code !== 0)).toEqual([]);
    }, SETUP_TIMEOUT_MS);

    afterAll(() => server?.close());

    const withTrust = (client: AvailableClient, [first = '', ...rest]: readonly string[]) => [
      first,
      ...client.trust,
      ...rest,
    ];

    /** Runs a client with a script for its model. Returns the texts of its requests. */
    async function runTurn(
      client: AvailableClient,
      args: readonly string[],
      steps: readonly Step[] = [],
      cwd = home.project,
    ): Promise<string[]> {
      const ends = steps.some((step) => typeof step === 'object' && 'text' in step);
      server.script(ends ? steps : [...steps, { text: 'That is all.' }]);
      const run = await home.run(client, withTrust(client, args), cwd);
      expect({ ...run, problems: server.problems }).toMatchObject({ code: 0, problems: [] });
      return server.requests.map(({ text }) => text);
    }

    it.each(available)('$id gets no brief in a project that is not linked', async (client) => {
      const args = client.start('Hello there.');
      const texts = await runTurn(client, args, [], home.otherProject);
      expect(texts).toHaveLength(1);
      expect(texts[0]).toContain('Hello there.');
      expect(texts[0]).not.toContain(BRIEF);
      expect(texts[0]).not.toContain(STATE_TASK);
      expect(textsBelow(join(home.vault, 'Savepoint'))).not.toContain('Hello there.');
    });

    it.each(available)('$id collects no briefs when a session is resumed', async (client) => {
      await runTurn(client, client.start('Begin.'));
      for (const prompt of ['Go on.', 'And on.']) {
        const texts = await runTurn(client, client.resume(prompt));
        // Gemini CLI drops the first one.
        for (const text of texts) expect(countOf(text, BRIEF)).toBe(client.id === 'gemini' ? 0 : 1);
      }
    });

    it.runIf(available.some(({ id }) => id === 'claude-code'))(
      'after a compaction of Claude Code the next request has the brief once',
      async () => {
        const claude = available.find(({ id }) => id === 'claude-code')!;
        await runTurn(claude, claude.start('Write the first chapter.'));
        for (const page of ['one', 'two', 'three'])
          await runTurn(claude, claude.resume(`Write page ${page}.`));
        await runTurn(claude, claude.resume('/compact'), [{ text: 'A summary of it all.' }]);
        const [next = ''] = await runTurn(claude, claude.resume('Go on.'));
        expect(next).toContain('A summary of it all.');
        expect(countOf(next, BRIEF)).toBe(1);
      },
    );

    it.runIf(available.some(({ id }) => id === 'codex'))(
      'after a compaction of Codex the next request has the brief once',
      async () => {
        const codex = available.find(({ id }) => id === 'codex')!;
        const [exec = '', ...rest] = codex.start('Write the second chapter.');
        const limit = ['-c', `model_auto_compact_token_limit=${CODEX_LIMIT}`];
        const texts = await runTurn(
          codex,
          [exec, ...limit, ...rest],
          [{ tool: 'listStates', args: {}, tokens: CODEX_LIMIT + 5000 }],
        );
        expect(texts.at(-1)).toContain(SUMMARY);
        expect(countOf(texts.at(-1) ?? '', BRIEF)).toBe(1);
      },
    );

    it.runIf(available.some(({ id }) => id === 'gemini'))(
      'a compaction of Gemini CLI, which has no hook after it, loses nothing of the session',
      async () => {
        const gemini = available.find(({ id }) => id === 'gemini')!;
        const file = join(home.home, '.gemini/settings.json');
        const settings = readFileSync(file, 'utf8');
        const model = { compressionThreshold: GEMINI_TOKENS / GEMINI_WINDOW };
        writeFileSync(file, JSON.stringify({ ...(JSON.parse(settings) as object), model }));
        const full = { tool: 'listStates', args: {}, tokens: GEMINI_TOKENS + 5000 };
        await runTurn(gemini, gemini.start('Write the third chapter.'), [full, full]);
        const texts = await runTurn(gemini, gemini.resume('Then the fourth.'), [full]);
        writeFileSync(file, settings);
        expect(texts.at(-1)).toContain(SUMMARY);
        const [other] = available.filter(({ id }) => id !== 'gemini');
        const [next = ''] = await runTurn(other!, other!.start('What is next?'));
        expect(next).toContain(': Then the fourth.');
      },
    );

    it(`${KILLS} killed sessions are in the next brief of another real client`, async () => {
      const random = createTestRandom(SEED);
      const next = (limit: number) => new DataView(random.bytes(4).buffer).getUint32(0) % limit;
      const missed: object[] = [];
      for (let run = 0, kills = 0; kills < KILLS; run++) {
        const client = available[next(available.length)]!;
        const others = available.filter((each) => each !== client);
        const other = others[next(others.length)] ?? client;
        const killed = await playAndKill(client, `${run} of ${client.id}`, next);
        if (killed.isOver) continue; // it was finished, or nearly
        kills++;
        const texts = await runTurn(other, other.start(QUESTION));
        // the last request of the killed client may arrive late
        const brief = texts.find((text) => text.includes(QUESTION)) ?? '';
        const problems = problemsOf(brief, killed);
        if (problems.length > 0) missed.push({ run, client: client.id, problems, killed, brief });
      }
      expect(missed.length / KILLS, JSON.stringify(missed.slice(0, 3))).toBeLessThanOrEqual(
        1 - MIN_SHARE,
      );
    });

    /**
     * Lets a client write files, in half of the sessions after a turn that ends in a decision, and
     * kills it at a random moment.
     */
    async function playAndKill(
      client: AvailableClient,
      name: string,
      next: (limit: number) => number,
    ): Promise<KilledSession> {
      const { write } = REAL_AGENTS.find((agent) => agent.client === client.id)!;
      const writeFile = (file: string): Step => write(join(home.project, file), 'One line');
      const fileName = (index: number) => `${name.replaceAll(' ', '-')}-${index}.md`;
      const decision = next(2) === 0 ? undefined : `Decision ${name}.`;
      const before = decision === undefined ? [] : [fileName(0)];
      if (decision !== undefined)
        await runTurn(client, client.start(`Begin ${name}`), [
          ...before.map(writeFile),
          { text: decision },
        ]);
      const task = `Task ${name}`;
      const files = Array.from({ length: 1 + next(4) }, (_, index) => fileName(index + 1));
      const calls = files.flatMap((file): Step[] => [
        ...(next(2) === 0 ? [{ tool: 'listStates', args: {} }] : []),
        writeFile(file),
      ]);
      server.script([...calls, { text: LAST_WORDS }]);
      const args = decision === undefined ? client.start(task) : client.resume(task);
      await startAndKill(client, args, 1 + next(calls.length + 1), next(400));
      // Claude Code appends to its transcript ten times a second. Nobody knows what it has not
      // written when it is killed.
      const written = textsBelow(join(home.home, TRANSCRIPTS[client.id]));
      const results = server.requests.flatMap((request) => request.results).join('\n');
      const isDone = (file: string) => results.includes(file) && written.includes(file);
      const isNoted = written.includes(task);
      return {
        task,
        isNoted,
        earlier: decision === undefined ? undefined : `Begin ${name}`,
        isOver: server.isAtEnd,
        // the decision is no answer to a task that has changed other files
        answers: [decision, server.isAtEnd ? LAST_WORDS : undefined],
        done: [...before, ...files.filter(isDone)],
        begun: [...before, ...files],
      };
    }

    /** Kills a client `delayMs` after it has sent this number of requests to the model. */
    async function startAndKill(
      client: AvailableClient,
      args: readonly string[],
      requests: number,
      delayMs: number,
    ): Promise<void> {
      const child = spawn(client.program, withTrust(client, args), {
        cwd: home.project,
        env: { ...home.envOf(client), PWD: home.project },
        stdio: 'ignore',
        detached: true,
      });
      const ended = new Promise((resolve) => child.once('close', resolve));
      const isThere = () => server.requests.length >= requests || child.exitCode !== null;
      while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 20));
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      await ended;
      expect(server.requests.length).toBeGreaterThan(0);
    }
  },
);

/** What the next session is asked. */
const QUESTION = 'What is next?';

/** The answer that ends the last turn of a session that is killed. */
const LAST_WORDS = 'Almost done.';

/** What a client had done when it was killed. */
interface KilledSession {
  readonly task: string;
  /** False if the client had not noted the task on the disk, so that nobody knows of it. */
  readonly isNoted: boolean;
  /** The task of the turn before; undefined if there was none. */
  readonly earlier: string | undefined;
  /** The texts of which one is the last answer; undefined for none. */
  readonly answers: readonly (string | undefined)[];
  /** True if its model had said the last word. */
  readonly isOver: boolean;
  /**
   * The files of which it had told its model, and noted in its transcript, that it has written
   * them.
   */
  readonly done: readonly string[];
  /** Those and the files that it may have written, oldest first. */
  readonly begun: readonly string[];
}

/**
 * Returns what the brief lacks of the session, in the section about it or, if it had not written
 * anything, in the line about it. Of a task that was on no disk, nothing can be there: then it must
 * have the turn before, which is finished, and whose answer and files a line does not have.
 */
function problemsOf(text: string, killed: KilledSession): string[] {
  const { isNoted, earlier, answers, done, begun } = killed;
  const task = isNoted ? killed.task : earlier;
  if (task === undefined) return [];
  const sections = text.replaceAll('&gt;', '>').split('\n## ');
  const line = sections.join('\n').match(new RegExp(`^> .* in .*: ${task}$`, 'm'))?.[0];
  const isAbout = (section: string) =>
    [`> Task: ${task}\n`, `> Then: ${task}\n`].some((each) => section.includes(each));
  const shown = sections.find(isAbout) ?? line?.slice('> '.length) ?? '';
  const [, count = '0', list = ''] = /> Files written \((\d+)\): (.*)/.exec(shown) ?? [];
  const answer = /> Last answer: (.*)/.exec(shown)?.[1];
  const newest = begun.slice(0, Number(count)).slice(-2);
  if (!isNoted && shown !== '' && shown === line?.slice('> '.length)) return [];
  return [
    ...(shown === '' ? ['task'] : []),
    ...(shown.startsWith('Interrupted') === isNoted ? [] : ['interrupted']),
    ...(answers.includes(answer) ? [] : [`answer: ${answer}`]),
    ...(Number(count) >= done.length && Number(count) <= begun.length ? [] : [`count: ${count}`]),
    ...(newest.every((file) => list.includes(file)) ? [] : [`files: ${list}`]),
  ];
}
