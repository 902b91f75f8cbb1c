import { installAgents } from '../host/agents-in-page.js';
import type { ChromiumHost } from '../host/chromium.js';
import { openBrowser, traceTasks } from './browser.js';
import { median, perForm, type Figure } from './lib.js';

export const question = 'Does the panel stay smooth while an agent sends 2,000 updates per second?';
export const measures = ['src'];

const ROUNDS = perForm(3, 1);
/** How long the agent sends; it decides that itself. */
const SECONDS = 5;

/** Times in milliseconds. */
interface Round {
  /** CPU time of the longest task of the page. Other programs on the machine do not prolong it. */
  readonly longest: number;
  readonly answering: number;
}

export async function answer(): Promise<Figure[]> {
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await runTurn());
  const longest = rounds.map((round) => round.longest);
  return [
    {
      what: `longest task in ${SECONDS} seconds of updates, CPU time, median`,
      value: median(longest),
      limit: 50,
      unit: ' ms',
    },
    { what: `  the longest of ${ROUNDS} such turns`, value: Math.max(...longest), unit: ' ms' },
    {
      what: 'time until all of them were shown, relative to that in which they were sent',
      value: median(rounds.map(({ answering }) => answering)) / (SECONDS * 1000),
    },
  ];
}

/** Lets an agent in the page answer one message. */
async function runTurn(): Promise<Round> {
  const host = await openBrowser();
  try {
    await installAgents(host, { vault: '/vault', isBusy: true });
    return await measure(host);
  } finally {
    await host.close();
  }
}

async function measure(host: ChromiumHost): Promise<Round> {
  const { page } = host;
  await page.evaluate(() => window.__agents.addFirst());
  await host.runCommand('Savepoint: Open chat');
  const box = page.locator('.savepoint-composer textarea');
  await box.fill('Tell me');
  await page.waitForTimeout(1000);
  const stopTracing = await traceTasks(page);
  const start = Date.now();
  await box.press('Enter');
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor({ timeout: 120_000 });
  const answering = Date.now() - start;
  await page.waitForTimeout(500);
  return { longest: Math.max(...(await stopTracing())), answering };
}
