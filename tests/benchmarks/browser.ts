import type { Page } from 'playwright-core';
import { openHost, type ChromiumHost, type HostOptions } from '../host/chromium.js';
import { NoBrowserError } from '../host/find-browser.js';
import { NotRunError } from './lib.js';

/** Opens the plugin in a simulated Obsidian. Throws a NotRunError where no Chromium runs. */
export async function openBrowser(options?: HostOptions): Promise<ChromiumHost> {
  try {
    return await openHost(options);
  } catch (error) {
    if (error instanceof NoBrowserError) throw new NotRunError(error.message);
    throw error;
  }
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/**
 * Records the tasks of the page. Returns a function that ends this and returns their CPU times in
 * milliseconds.
 */
export async function traceTasks(page: Page): Promise<() => Promise<number[]>> {
  const devtools = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  devtools.on('Tracing.dataCollected', ({ value }) => {
    events.push(...(value as unknown as TraceEvent[]));
  });
  const traceConfig = { includedCategories: ['disabled-by-default-devtools.timeline'] };
  await devtools.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
  return async () => {
    const complete = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
    await devtools.send('Tracing.end');
    await complete;
    await devtools.detach();
    const threads = events.filter(
      ({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain',
    );
    const isPage = ({ pid, tid }: TraceEvent) =>
      threads.some((thread) => thread.pid === pid && thread.tid === tid);
    const tasks = events.filter((event) => event.name === 'RunTask' && isPage(event));
    if (tasks.length === 0) throw new Error('No task was recorded');
    return tasks.map(({ tdur = 0 }) => tdur / 1000);
  };
}
