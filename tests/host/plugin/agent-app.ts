import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { PROGRAM, temporaryFolder } from '../../fakes/program.js';
import { startNodeHost, type NodeHost } from '../node-host.js';
import { personAt, whenShown } from './desktop-app.js';

const SCRIPTED = fileURLToPath(new URL('../../fakes/scripted-agent.mjs', import.meta.url));

export type AgentPlace = ReturnType<typeof createPlace>;

/**
 * Creates a vault with the plugin, and a computer on which the scripted agent is installed under
 * two names.
 */
export function createPlace(quirks = '') {
  const home = temporaryFolder('home');
  const vault = temporaryFolder();
  const plugin = join(vault, '.obsidian/plugins/savepoint/main.js');
  mkdirSync(dirname(plugin), { recursive: true });
  for (const file of ['main.js', 'manifest.json'])
    copyFileSync(join(dirname(PROGRAM), file), join(dirname(plugin), file));
  const bin = join(home, '.local/bin');
  mkdirSync(bin, { recursive: true });
  for (const name of ['claude-agent-acp', 'codex-acp']) {
    const file = join(bin, name);
    writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${SCRIPTED}' ${quirks}\n`);
    chmodSync(file, 0o755);
  }
  writeFileSync(join(vault, 'note.md'), 'one\ntwo\n');
  const env = {
    HOME: home,
    SAVEPOINT_STATE: join(home, 'state'),
    XDG_RUNTIME_DIR: '',
    SCRIPTED_AGENT_JOURNAL: join(home, 'journal.jsonl'),
  };
  return { home, vault, plugin, bin, env, storageFile: join(home, 'local-storage.json') };
}

/** Starts the app, with what a user does and sees in it. */
export async function start({ vault, plugin, env, storageFile }: AgentPlace) {
  const host = await startNodeHost({ vault, plugin, env, storageFile });
  onTestFinished(() => host.kill());
  const person = personAt(host);
  await expect.poll(() => person.texts('.status-bar-item')).toContain('Default');
  return { host, ...person, ...by(host) };
}

function by(host: NodeHost) {
  const person = personAt(host);
  const type = (typed: string) =>
    whenShown(() =>
      host.evaluate((_, words) => {
        const area = document.querySelector<HTMLTextAreaElement>('.savepoint-composer textarea');
        if (!area) throw new Error('There is no composer');
        area.value = words;
        area.dispatchEvent(new Event('input', { bubbles: true }));
      }, typed),
    );
  return {
    /** Adds an agent in the settings. */
    async add(title: string) {
      await person.openPage('Agents in the chat');
      await expect.poll(() => person.texts('.savepoint-chat-agent-row')).not.toEqual([]);
      await person.clickNow('.savepoint-chat-agent-row button', `Add: ${title}`);
      await expect
        .poll(() => person.texts('.notice'), { timeout: 60_000 })
        .toContainEqual(expect.stringContaining(`${title} works`));
    },
    type,
    async send(...lines: string[]) {
      await type(lines.join('\n'));
      await person.click('.savepoint-composer button', 'Send');
    },
    /** Shows a conversation in the open chat. */
    show: (conversation: string) =>
      host.evaluate(async ({ app }, id) => {
        const [leaf] = app.workspace.getLeavesOfType('savepoint-chat');
        await leaf?.setViewState({ type: 'savepoint-chat', state: { conversation: id } });
      }, conversation),
    answers: async () => (await person.texts('.savepoint-message.mod-answer')).join('\n'),
    idle: () =>
      expect
        .poll(() => person.texts('.savepoint-composer button[aria-label="Stop"]'), {
          timeout: 60_000,
        })
        .toEqual([]),
  };
}

export interface JournalEntry {
  readonly prompt?: string;
  readonly images?: readonly unknown[];
  readonly started?: number;
  readonly session?: string;
  readonly mcpServers?: readonly { readonly args: readonly string[] }[];
}

/** Returns what the agents have noted about themselves, oldest first. */
export function journalOf({ env }: AgentPlace): JournalEntry[] {
  const lines = readFileSync(env.SCRIPTED_AGENT_JOURNAL, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as JournalEntry);
}

/** Returns the process ids of the agents that run. */
export function runningAgents(place: AgentPlace): number[] {
  const ids = journalOf(place).flatMap(({ started = [] }) => started);
  return ids.filter((id) => spawnSync('kill', ['-0', String(id)]).status === 0);
}

/** Returns true if a program runs with these words in its command line. */
export const isRunning = (words: string) =>
  spawnSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).stdout.includes(words);
