import { expect, onTestFinished } from 'vitest';
import {
  startModelServer,
  type ModelServer,
  type Protocol,
  type Script,
  type ServerOptions,
} from '../../fakes/model-server.js';
import { germanTexts } from '../../../src/obsidian/i18n/de.js';
import { en } from '../../../src/obsidian/i18n/en.js';
import type { ChromiumHost } from '../chromium.js';
import { open, type OpenOptions } from '../shared-browser.js';

export interface OpenedChat {
  readonly host: ChromiumHost;
  readonly server: ModelServer;
}

export interface ChatOptions extends OpenOptions, ServerOptions {
  readonly protocol?: Protocol;
  /** Id of the provider; by default one of the protocol. */
  readonly provider?: string;
  /** Further settings of the plugin. */
  readonly settings?: object;
}

/** A provider of each protocol, and the path of its API. */
const PLACES: Record<Protocol, { provider: string; path: string }> = {
  anthropic: { provider: 'anthropic', path: '/v1' },
  responses: { provider: 'openai', path: '/v1' },
  google: { provider: 'google', path: '/v1beta' },
  chat: { provider: 'compatible', path: '/v1' },
};

/** Opens the chat with a local model server that answers according to the scripts. */
export async function openChat(
  scripts: Script[],
  { protocol = 'chat', settings: more, cors, models, facts, shown, ...options }: ChatOptions = {},
): Promise<OpenedChat> {
  const server = await startModelServer(protocol, scripts, {
    ...(cors !== undefined && { cors }),
    ...(models && { models }),
    ...(facts && { facts }),
    ...(shown !== undefined && { shown }),
  });
  onTestFinished(() => server.close());
  const { path } = PLACES[protocol];
  const { provider = PLACES[protocol].provider } = options;
  const settings = {
    providers: { [provider]: { address: `${server.origin}${path}`, model: 'small' } },
    chatProvider: provider,
    ...more,
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
  const { open: command } = (options.language === 'de' ? germanTexts() : en).chat.commands;
  await host.runCommand(`Savepoint: ${command}`);
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

/** Chooses an entry of the conversation's menu. */
export async function choose(host: ChromiumHost, label: string): Promise<void> {
  await host.page.locator('.savepoint-chat .savepoint-header').getByRole('button').click();
  await host.page.locator('.menu-item', { hasText: label }).click();
}

/** Sends a message and waits until it is accepted. From then on, `settled` waits for the answer. */
export async function say(host: ChromiumHost, words: string): Promise<void> {
  await composer(host).fill(words);
  await composer(host).press('Enter');
  await expect.poll(() => composer(host).inputValue()).toBe('');
}

/** Waits until no answer is streaming. */
export async function settled(host: ChromiumHost): Promise<void> {
  await button(host, 'Send').waitFor();
}

/** Returns the texts of the user and the model, in order. */
export function said({ page }: ChromiumHost): Promise<string[]> {
  return page.locator('.savepoint-message .savepoint-said').allInnerTexts();
}

/** Removes the browser's messages about failed requests from the errors of the page. */
export function forgetRefusals({ pageErrors }: ChromiumHost): void {
  const others = pageErrors.filter(
    (error) => !/Failed to load resource|blocked by CORS policy|ERR_/.test(error),
  );
  pageErrors.splice(0, pageErrors.length, ...others);
}

/** Starts an import of conversations with 200 KB each. */
export async function startImport(host: ChromiumHost, conversations: number): Promise<void> {
  await host.runCommand('Savepoint: Import chats');
  await host.page.locator('.modal input[type=file]').waitFor({ state: 'attached' });
  await host.page.evaluate((count) => {
    const text = 'The beds face south, so the first row warms early. '.repeat(100);
    const chats = Array.from({ length: count }, (_, at) => ({
      uuid: `chat-${at}`,
      name: `Chat ${at}`,
      created_at: '2025-01-02T03:04:05Z',
      chat_messages: Array.from({ length: 40 }, (_each, of) => ({
        uuid: `${at}-${of}`,
        sender: of % 2 === 0 ? 'human' : 'assistant',
        text,
      })),
    }));
    const transfer = new DataTransfer();
    transfer.items.add(new File([JSON.stringify(chats)], 'conversations.json'));
    const input = document.querySelector<HTMLInputElement>('.modal input[type=file]')!;
    input.files = transfer.files;
    input.dispatchEvent(new Event('change'));
  }, conversations);
}
