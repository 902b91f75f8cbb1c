// Tier full: agents are real processes, which take seconds to start.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RELOADS } from '../../tier.js';
import {
  createPlace,
  isRunning,
  journalOf,
  runningAgents,
  start,
  type AgentPlace,
} from './agent-app.js';

/** What the agent can do with an earlier session. */
const QUIRKS = ['resumes', 'loads', ''];
const WAYS = ['quits', 'reloads the plugin', 'crashes'] as const;

const CASES = Array.from({ length: RELOADS }, (_, at) => ({
  way: WAYS[at % WAYS.length]!,
  quirks: QUIRKS[Math.floor(at / WAYS.length) % QUIRKS.length]!,
  at,
}));

type App = Awaited<ReturnType<typeof start>>;

/** Ends the app in a way, and returns the app that the user has afterwards. */
async function endAndStart(place: AgentPlace, app: App, way: (typeof WAYS)[number]): Promise<App> {
  if (way === 'reloads the plugin') {
    await app.host.evaluate(async ({ app: { plugins } }) => {
      await plugins.disablePlugin('savepoint');
      await plugins.enablePlugin('savepoint');
    });
    return app;
  }
  await (way === 'quits' ? app.host.quit() : app.host.kill());
  return start(place);
}

test.each(CASES)(
  'continues after the app $way in mid-turn: $quirks, $at',
  async ({ way, quirks }) => {
    const place = createPlace(quirks);
    const before = await start(place);
    await before.add('Claude Code');
    await before.run('open-chat');
    await before.send('do: say Begun already', 'do: wait');
    await expect.poll(() => before.answers(), { timeout: 60_000 }).toContain('Begun');
    await expect
      .poll(() => readFileSync(place.storageFile, 'utf8'), { timeout: 20_000 })
      .toMatch(/text\\":\\"Begun/u); // kept in case of a crash
    const [first, ...others] = runningAgents(place);
    expect(others).toEqual([]);

    const app = await endAndStart(place, before, way);
    const [sessionEntry] = journalOf(place)
      .filter(({ mcpServers }) => mcpServers)
      .slice(-1);
    const { session, mcpServers } = sessionEntry!;
    const args = mcpServers![0]!.args;
    const conversation = args[args.indexOf('--session') + 1]!;
    await app.run('open-chat');
    await app.show(conversation);
    await expect.poll(() => app.answers(), { timeout: 60_000 }).toContain('Begun');
    await app.idle();
    await app.send('do: say Continued', 'do: memory');
    await expect.poll(() => app.answers(), { timeout: 60_000 }).toContain('servers: 1');
    await app.idle();
    expect(await app.answers()).toContain('Continued');
    // repeated by an agent that loads
    expect(await app.answers()).not.toContain('An earlier answer');

    const [last] = journalOf(place)
      .filter(({ mcpServers }) => mcpServers)
      .slice(-1);
    const [prompt = ''] = journalOf(place)
      .flatMap(({ prompt: text = [] }) => text)
      .slice(-1);
    expect(last?.session === session).toBe(quirks !== '');
    expect(prompt.includes('The conversation so far')).toBe(quirks === '');
    await expect.poll(() => runningAgents(place), { timeout: 20_000 }).toHaveLength(1);
    expect(runningAgents(place)).not.toContain(first);
    expect(app.host.errors).toEqual([]);
    await app.host.quit();
    await expect.poll(() => runningAgents(place), { timeout: 20_000 }).toEqual([]);
    await expect.poll(() => isRunning(place.vault), { timeout: 20_000 }).toBe(false);
  },
  300_000,
);
