import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { readPlugin } from '../../scripts/host-page.mjs';
import { traceData } from '../../src/model/trace.js';
import { createEntityId } from '../../src/platform/random.js';
import type { ChromiumHost } from '../host/chromium.js';
import type { FileSet } from '../host/obsidian/index.js';
import { openBrowser } from './browser.js';
import { evaluationFigures, firstUseFigures } from './evaluation.js';
import { inFolder, median, perForm, type Figure } from './lib.js';
import { fillWithStates, openVault } from './vault.js';

export const question =
  'Does the app stay responsive while the plugin starts and reads 10,000 states and 100,000 tool calls?';
export const measures = ['src'];

const STATES = perForm(10_000, 100);
const CALLS = perForm(100_000, 1000);
const STARTS = perForm(5, 2);
const READINGS = perForm(3, 1);

type PluginFiles = Awaited<ReturnType<typeof readPlugin>>;

export async function answer(): Promise<Figure[]> {
  const starts = await inHost({}, startAgainAndAgain);
  const vault = await bigVault();
  const readings: Awaited<ReturnType<typeof readAll>>[] = [];
  for (let round = 0; round < READINGS; round++) readings.push(await inHost(vault, readAll));
  const longest = readings.map(({ reading }) => reading);
  return [
    ...(await evaluationFigures()),
    ...(await firstUseFigures()),
    {
      what: 'onload, median',
      value: median(starts),
      limit: 20,
      unit: ' ms',
    },
    {
      what: `longest task while everything was read and shown, in ${READINGS} starts`,
      value: Math.max(...longest),
      limit: 50,
      unit: ' ms',
    },
    {
      what: 'longest from a key to the frame that shows it',
      value: Math.max(...readings.flatMap(({ typing }) => typing)),
      limit: 50,
      unit: ' ms',
    },
  ];
}

async function inHost<T>(
  files: FileSet,
  task: (host: ChromiumHost, plugin: PluginFiles) => Promise<T>,
): Promise<T> {
  const host = await openBrowser({ files, plugin: null, isMobile: true, width: 400, height: 800 });
  try {
    const plugin = await readPlugin();
    await host.page.addStyleTag({ content: plugin.styles });
    return await task(host, plugin);
  } finally {
    await host.close();
  }
}

/** Starts the plugin several times, as if the user turned it off and on. */
async function startAgainAndAgain(host: ChromiumHost, plugin: PluginFiles): Promise<number[]> {
  const starts: number[] = [];
  for (let round = 0; round < STARTS; round++) {
    if (round > 0) await host.page.evaluate(() => window.__host.host.unloadPlugin());
    starts.push(await loadPlugin(host, plugin));
  }
  return starts;
}

async function readAll(
  host: ChromiumHost,
  plugin: PluginFiles,
): Promise<{ reading: number; typing: number[] }> {
  await collectGarbage(host); // left over from loading the vault
  await loadPlugin(host, plugin);
  await host.runCommand('Savepoint: Open memory');
  await open(host, 'Default');
  await host.page
    .locator('.savepoint-line-title', { hasText: `State ${STATES - 1}` })
    .waitFor({ timeout: 120_000 });
  await host.page.waitForTimeout(3000); // the calls are read after the states
  const reading = await longestTask(host);
  return { reading, typing: await typeInFilter(host, 'state 77') };
}

export async function bigVault(): Promise<FileSet> {
  return inFolder(async (folder) => {
    const [vault, state] = [path.join(folder, 'vault'), path.join(folder, 'state')];
    await fs.mkdir(vault);
    await fillWithStates(vault, state, STATES);
    const { services, close } = openVault(vault, state);
    const call = (at: number) => ({
      workspaceId: 'default',
      sessionId: `session-${Math.floor(at / 40)}`,
      toolset: 'memoryManager',
      tool: 'loadState',
      input: `{"name":"State ${at % STATES}"}`,
      outcome: 'ok',
      isSuccess: true,
    });
    for (let at = 0; at < CALLS; at += 1000) {
      const some = Array.from({ length: 1000 }, (_, index) =>
        services.log.writeTrace({
          t: 'trace.new',
          e: createEntityId(services.random),
          d: traceData(call(at + index)),
        }),
      );
      await Promise.all(some);
    }
    await close();
    const names = (await fs.readdir(vault, { recursive: true, withFileTypes: true })).filter(
      (entry) => entry.isFile(),
    );
    const texts = names.map(async ({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      return [path.relative(vault, file), await fs.readFile(file, 'utf8')] as const;
    });
    return Object.fromEntries(await Promise.all(texts));
  });
}

async function collectGarbage({ page }: ChromiumHost): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.enable');
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.detach();
}

/** Loads the plugin and starts watching for long tasks. Returns the milliseconds of `onload`. */
function loadPlugin({ page }: ChromiumHost, { source, manifest }: PluginFiles): Promise<number> {
  return page.evaluate(
    async ({ source, manifest }) => {
      const { host } = window.__host;
      const tasks: number[] = [];
      Object.assign(window, { longTasks: tasks });
      const { prototype } = host.module.Plugin as unknown as {
        prototype: { load: (this: unknown) => void };
      };
      const { load } = prototype;
      let loading = 0;
      prototype.load = function () {
        const since = performance.now();
        load.call(this);
        loading = performance.now() - since;
      };
      await host.loadPlugin(source, manifest as never);
      prototype.load = load;
      const loaded = performance.now();
      new PerformanceObserver((list) =>
        tasks.push(
          ...list
            .getEntries()
            .flatMap(({ startTime, duration }) => (startTime >= loaded ? [duration] : [])),
        ),
      ).observe({ entryTypes: ['longtask'] });
      return loading;
    },
    { source, manifest },
  );
}

async function open({ page }: ChromiumHost, workspace: string): Promise<void> {
  await page
    .locator('.savepoint-line-title > bdi', { hasText: new RegExp(`^${workspace}$`) })
    .click({ timeout: 120_000 });
}

function longestTask({ page }: ChromiumHost): Promise<number> {
  return page.evaluate(() =>
    Math.max(0, ...(window as unknown as { longTasks: number[] }).longTasks.splice(0)),
  );
}

/** Returns the time from each key press to the next drawn frame, in milliseconds. */
async function typeInFilter({ page }: ChromiumHost, words: string): Promise<number[]> {
  await page.locator('.savepoint-view input').first().focus();
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { keyTimes: times });
    window.addEventListener(
      'keydown',
      ({ timeStamp }) =>
        requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - timeStamp))),
      true,
    );
  });
  await page.keyboard.type(words, { delay: 150 });
  await page.waitForTimeout(500);
  return page.evaluate(() => (window as unknown as { keyTimes: number[] }).keyTimes);
}
