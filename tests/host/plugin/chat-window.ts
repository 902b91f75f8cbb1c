import { expect, onTestFinished } from 'vitest';
import {
  startModelServer,
  type ModelServer,
  type Protocol,
  type Script,
  type ServerOptions,
} from '../../fakes/model-server.js';
import type { ChromiumHost } from '../chromium.js';
import { open, type OpenOptions } from '../shared-browser.js';

export interface OpenedChat {
  readonly host: ChromiumHost;
  readonly server: ModelServer;
}

export interface ChatOptions extends OpenOptions, ServerOptions {
  readonly protocol?: Protocol;
}

/** The provider that speaks a protocol, and the path under which its API lies. */
const PLACES: Record<Protocol, { provider: string; path: string }> = {
  anthropic: { provider: 'anthropic', path: '/v1' },
  responses: { provider: 'openai', path: '/v1' },
  google: { provider: 'google', path: '/v1beta' },
  chat: { provider: 'compatible', path: '/v1' },
};

/** The plugin with the chat open, and a model's server on this machine that answers as the scripts say. */
export async function openChat(
  scripts: Script[],
  { protocol = 'chat', cors, models, facts, ...options }: ChatOptions = {},
): Promise<OpenedChat> {
  const server = await startModelServer(protocol, scripts, {
    ...(cors !== undefined && { cors }),
    ...(models && { models }),
    ...(facts && { facts }),
  });
  onTestFinished(() => server.close());
  const { provider, path } = PLACES[protocol];
  const settings = {
    providers: { [provider]: { address: `${server.origin}${path}`, model: 'small' } },
    chatProvider: provider,
  };
  const host = await open({
    ...options,
    connect: [server.origin],
    files: { '.obsidian/plugins/savepoint/data.json': JSON.stringify(settings), ...options.files },
  });
  await host.page.evaluate(
    (id) => window.__host.host.app.secretStorage.setSecret(id, 'secret-key'),
    `savepoint-${provider}`,
  );
  await host.runCommand('Savepoint: Open chat');
  await composer(host).waitFor();
  return { host, server };
}

export function composer({ page }: ChromiumHost) {
  return page.locator('.savepoint-composer textarea');
}

export function messages({ page }: ChromiumHost) {
  return page.locator('.savepoint-message');
}

export function button({ page }: ChromiumHost, label: string | RegExp) {
  return page.locator('.savepoint-chat').getByRole('button', { name: label, exact: true });
}

/** Says these words, and waits until they were taken: from then on the chat is not settled before they are answered. */
export async function say(host: ChromiumHost, words: string): Promise<void> {
  await composer(host).fill(words);
  await composer(host).press('Enter');
  await expect.poll(() => composer(host).inputValue()).toBe('');
}

/** Waits until nothing is being said any more. */
export async function settled(host: ChromiumHost): Promise<void> {
  await button(host, 'Send').waitFor();
}

/** What the person and the model have said, in order. */
export function said({ page }: ChromiumHost): Promise<string[]> {
  return page.locator('.savepoint-message .savepoint-said').allInnerTexts();
}

/** Takes the browser's own word of refused requests out of the errors of the page. */
export function forgetRefusals({ pageErrors }: ChromiumHost): void {
  const others = pageErrors.filter(
    (error) => !/Failed to load resource|blocked by CORS policy|ERR_/.test(error),
  );
  pageErrors.splice(0, pageErrors.length, ...others);
}
