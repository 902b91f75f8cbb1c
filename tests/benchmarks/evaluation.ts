import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { ChromiumHost } from '../host/chromium.js';
import { openBrowser } from './browser.js';
import { median, perForm, type Figure } from './lib.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const THROTTLING_RATES = [1, 4, 6];
const ROUNDS = perForm(9, 1);
const FIRST_USES = perForm(3, 1);

/** Characters of the release's file, of which the comment with its source map is the rest. */
const DATAVIEW_LENGTH = 2_341_116;

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
 * Compares evaluating main.js with evaluating a file like Dataview's, alternately, each in a page
 * of its own.
 */
export async function evaluationFigures(): Promise<Figure[]> {
  const [ours, dataview] = [await readFile(`${root}/main.js`, 'utf8'), await fileLikeDataview()];
  const figures: Figure[] = [];
  for (const rate of THROTTLING_RATES) {
    const results: [Evaluation[], Evaluation[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++)
      for (const [at, source] of [ours, dataview].entries())
        results[at]?.push(await evaluate(source, rate));
    figures.push(...figuresOf(rate, ...results));
  }
  return figures;
}

function figuresOf(rate: number, ours: Evaluation[], theirs: Evaluation[]): Figure[] {
  const total = (results: Evaluation[]) =>
    median(results.map(({ parsing, running }) => parsing + running));
  const at = rate === 1 ? '' : ` with the CPU throttled ${rate} times`;
  const parsing = median(ours.map((result) => result.parsing));
  return [
    { what: `evaluating main.js${at}, median`, value: total(ours), unit: ' ms' },
    { what: `of that, parsing${at}`, value: parsing, unit: ' ms' },
    { what: `the same for a file like Dataview's${at}`, value: total(theirs), unit: ' ms' },
    {
      what: `evaluating main.js${at}, relative to a file like Dataview's`,
      value: total(ours) / total(theirs),
      limit: 1.6,
    },
  ];
}

async function evaluate(source: string, rate: number): Promise<Evaluation> {
  const host = await openBrowser({ plugin: null, isMobile: true });
  try {
    const devtools = await host.page.context().newCDPSession(host.page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate });
    return await evaluateInPage(host, source);
  } finally {
    await host.close();
  }
}

/** Evaluates a plugin's file as the app does. */
function evaluateInPage({ page }: ChromiumHost, source: string): Promise<Evaluation> {
  return page.evaluate((code) => {
    const obsidian = window.__host.host.module;
    // modules of the editor, of which only the names are needed to evaluate the file
    const require = (name: string) => (name === 'obsidian' ? obsidian : {});
    const start = performance.now();
    const run = (0, eval)(`(function anonymous(require,module,exports){${code}\n})`) as (
      ...values: unknown[]
    ) => void;
    const parsed = performance.now();
    const module = { exports: {} };
    run(require, module, module.exports);
    return { parsing: parsed - start, running: performance.now() - parsed };
  }, source);
}

/**
 * Returns a file of the size and the shape of the release's main.js of Dataview 0.5.68, which is
 * not published as a package: its library, which is (query language, Luxon, Parsimmon); as much
 * code that only waits to be called, from other packages; the library as Base64 like its worker;
 * and a comment as long as the release's source map. Nothing is minified, as in the release.
 */
async function fileLikeDataview(): Promise<string> {
  const library = await readFile(`${root}/tests/benchmarks/dataview/library.js.txt`, 'utf8');
  const { outputFiles } = await build({
    stdin: {
      contents: `export * as markdown from 'markdown-it'; export * as yaml from 'yaml';`,
      resolveDir: root,
    },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'others',
    platform: 'browser',
    target: 'es2018',
  });
  const worker = Buffer.from(library).toString('base64');
  const code = `${library}\n${outputFiles[0]?.text ?? ''}\nvar worker = "${worker}";\n//`;
  return code.padEnd(DATAVIEW_LENGTH, 'A');
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
