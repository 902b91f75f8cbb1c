import type { SavedBy } from '../model/states/provenance.js';
import type { AiApp } from './ai-app.js';
import { antigravity } from './antigravity.js';
import { claudeCode } from './claude-code.js';
import { claudeDesktop } from './claude-desktop.js';
import { codex } from './codex.js';
import { copilot } from './copilot.js';
import { cursor } from './cursor.js';
import { gemini } from './gemini.js';
import { goose } from './goose.js';
import { opencode } from './opencode.js';
import { vscode } from './vscode.js';
import { windsurf } from './windsurf.js';
import { zed } from './zed.js';

/** The tested AI apps, in the order of all lists. */
export const AI_APPS: readonly AiApp[] = [
  claudeDesktop,
  claudeCode,
  cursor,
  vscode,
  codex,
  gemini,
  opencode,
  zed,
  windsurf,
  copilot,
  antigravity,
  goose,
];

export type AppWith<K extends keyof AiApp> = AiApp & {
  readonly [part in K]-?: NonNullable<AiApp[part]>;
};

/** Returns the apps that have a part. */
export function appsWith<K extends keyof AiApp>(part: K): AppWith<K>[] {
  return AI_APPS.filter((app): app is AppWith<K> => app[part] !== undefined);
}

export function idsWith(part: keyof AiApp): string[] {
  return appsWith(part).map(({ id }) => id);
}

export function partsOf<K extends keyof AiApp>(part: K): NonNullable<AiApp[K]>[] {
  return appsWith(part).map((app) => app[part]);
}

/** Returns the app with an id, if it has the part. */
export function findApp<K extends keyof AiApp>(part: K, id: string): AppWith<K> | undefined {
  return appsWith(part).find((app) => app.id === id);
}

/** Returns the app with this client name or id, if known. */
export function appOfClient(client: string): AiApp | undefined {
  return AI_APPS.find(({ id, clientNames }) => id === client || clientNames?.includes(client));
}

/** Returns the name by which people know a client; empty for none. */
export function displayName(client = ''): string {
  return appOfClient(client)?.title ?? client;
}

/** Returns the client that saved a state, with its model if known. */
export function saverName({ client, model }: SavedBy): string {
  return model === undefined ? displayName(client) : `${displayName(client)} (${model})`;
}
