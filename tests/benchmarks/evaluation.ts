import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ChromiumHost } from '../host/chromium.js';
import { openBrowser } from './browser.js';
import { median, perForm, type Figure } from './lib.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const inProcess = promisify(execFile);
const SCRIPT = `${root}/tests/benchmarks/evaluate.cjs`;
const ROUNDS = perForm(9, 1);
const FIRST_USES = perForm(3, 1);

const IN_NODE = 'in Node';

/** Of other plugins, the share of their time that evaluating main.js may take in Node. */
const LIMITS = { dataview: 2.45, copilot: 0.75, 'smart-connections': undefined };

/** Milliseconds. */
interface Evaluation {
  readonly parsing: number;
  readonly running: number;
}

/** What the user opens for the first time, by the id of its command, and what it then shows. */
const DEFERRED = [
  { what: 'the chat', command: 'open-chat', shows: '.savepoint-view textarea' },
  { what: 'the memory view', command: 'open-memory', shows: '.savepoint-line-title' },
  { what: 'the search', command: 'search-memory', shows: '.prompt' },
  { what: 'the form of a workspace', command: 'create-workspace', shows: '.modal input' },
  { what: 'the check of the memory', command: 'verify-memory', shows: '.modal' },
  { what: 'the import of chats', command: 'import-chats', shows: '.modal' },
] as const;

/**
 * Compares evaluating main.js with evaluating those of other plugins, alternately: in pages of
 * their own, in processes of this Node, and in WebKit's engine if its shell is installed. The
 * others are in SAVEPOINT_PLUGINS, the folder of a vault's plugins (`.obsidian/plugins`), because
 * released files are published nowhere else.
 */
export async function evaluationFigures(): Promise<Figure[]> {
  const files = [{ name: 'main.js', file: `${root}/main.js` }, ...(await otherPlugins())];
  const figures: Figure[] = [];
  for (const { at, evaluate } of await places()) {
    const results = files.map((): Evaluation[] => []);
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, { name, file }] of files.entries())
        try {
          results[index]?.push(await evaluate(file));
        } catch (error) {
          if (index === 0) throw error;
          if (round === 0)
            console.log(`${name} cannot be evaluated ${at}: ${String(error).split('\n')[0]}`);
        }
    figures.push(...figuresOf(at, files, results));
  }
  return figures;
}

async function places() {
  const webKit = inProcess('jsc', ['-e', '']).then(
    () => [{ at: "in WebKit's engine", evaluate: evaluateInWebKit }],
    () => {
      console.log("Not evaluated in WebKit's engine: this machine has no jsc.");
      return [];
    },
  );
  return [
    { at: IN_NODE, evaluate: evaluateInNode },
    ...(await webKit),
    ...[1, 4].map((rate) => ({
      at: `in Chromium, throttled ${rate} times`,
      evaluate: (file: string) => evaluateThrottled(file, rate),
    })),
  ];
}

interface PluginFile {
  readonly name: string;
  readonly file: string;
  /** The largest share of its time that evaluating main.js may take. */
  readonly limit?: number | undefined;
}

async function otherPlugins(): Promise<PluginFile[]> {
  const folder = process.env['SAVEPOINT_PLUGINS'];
  if (folder === undefined) {
    console.log('Not compared with other plugins: SAVEPOINT_PLUGINS names no folder of plugins.');
    return [];
  }
  return Promise.all(
    Object.entries(LIMITS).map(async ([id, limit]) => {
      const manifest = await readFile(`${folder}/${id}/manifest.json`, 'utf8');
      const { version } = JSON.parse(manifest) as { version: string };
      return { name: `${id} ${version}`, file: `${folder}/${id}/main.js`, limit };
    }),
  );
}

function figuresOf(
  at: string,
  files: readonly PluginFile[],
  results: readonly (readonly Evaluation[])[],
): Figure[] {
  const total = (of: readonly Evaluation[]) =>
    median(of.map(({ parsing, running }) => parsing + running));
  const [ours = []] = results;
  const parsing = median(ours.map((result) => result.parsing));
  return [
    { what: `evaluating main.js ${at}, median`, value: total(ours), unit: ' ms' },
    { what: `of that, parsing ${at}`, value: parsing, unit: ' ms' },
    ...files.flatMap(({ name, limit }, index) => {
      const others = results[index] ?? [];
      if (index === 0 || others.length === 0) return [];
      const what = `evaluating main.js ${at}, relative to ${name}`;
      const isHeld = at === IN_NODE && limit !== undefined;
      return [{ what, value: total(ours) / total(others), ...(isHeld && { limit }) }];
    }),
  ];
}

async function evaluateInNode(file: string): Promise<Evaluation> {
  const { stdout } = await inProcess(process.execPath, [SCRIPT, file]);
  return JSON.parse(stdout) as Evaluation;
}

async function evaluateInWebKit(file: string): Promise<Evaluation> {
  const globals = Object.getOwnPropertyNames(globalThis).filter((name) => name !== 'process');
  const { stdout } = await inProcess('jsc', [SCRIPT, '--', file, ...globals]);
  return JSON.parse(stdout) as Evaluation;
}

async function evaluateThrottled(file: string, rate: number): Promise<Evaluation> {
  const host = await openBrowser({ plugin: null, isMobile: true });
  try {
    const devtools = await host.page.context().newCDPSession(host.page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate });
    return await evaluateInPage(host, await readFile(file, 'utf8'));
  } finally {
    await host.close();
  }
}

/** Evaluates a plugin's file in a page, which stands for the shell of an engine. */
async function evaluateInPage({ page }: ChromiumHost, code: string): Promise<Evaluation> {
  const printed = await page.evaluate(
    ([script, source]) => {
      let text = '';
      Object.assign(globalThis, {
        readFile: () => source,
        preciseTime: () => performance.now() / 1000,
        print: (line: string) => (text = line),
        quit: () => undefined,
      });
      const run = (0, eval)(`(function () {${script}\n})`) as (file: string) => void;
      run('main.js');
      return text;
    },
    [await readFile(SCRIPT, 'utf8'), code] as const,
  );
  return JSON.parse(printed) as Evaluation;
}

/** Measures the time from a command to the frame that shows what it opens, the first time. */
export async function firstUseFigures(): Promise<Figure[]> {
  const times = new Map<string, number[]>(DEFERRED.map(({ what }) => [what, []]));
  for (let round = 0; round < FIRST_USES; round++) {
    const host = await openBrowser({ isMobile: true, width: 400, height: 800 });
    try {
      await host.page.waitForTimeout(2000); // until the memory is open
      for (const { what, command, shows } of DEFERRED) {
        times.get(what)?.push(await timeToShow(host, command, shows));
        await host.press('Escape');
      }
    } finally {
      await host.close();
    }
  }
  return DEFERRED.map(({ what }) => ({
    what: `opening ${what} for the first time, median`,
    value: median(times.get(what) ?? []),
    limit: 150,
    unit: ' ms',
  }));
}

function timeToShow({ page }: ChromiumHost, command: string, shows: string): Promise<number> {
  return page.evaluate(
    async ([id, selector]) => {
      const start = performance.now();
      window.__host.host.app.commands.executeCommandById(id);
      while (!document.querySelector(selector))
        await new Promise((resolve) => requestAnimationFrame(resolve));
      return performance.now() - start;
    },
    [`savepoint:${command}`, shows] as const,
  );
}
