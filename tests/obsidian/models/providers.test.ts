import { describe, expect, it } from 'vitest';
import { ModelRegistry, receiverKey } from '../../../src/obsidian/models/model-registry.js';
import { isLocalUrl } from '../../../src/obsidian/models/providers.js';
import { readSettings } from '../../../src/obsidian/settings-schema.js';
import { createStore } from '../../../src/obsidian/store.js';

describe('a server on this device', () => {
  it.each([
    'http://localhost:11434/v1',
    'http://127.0.0.1',
    'https://[::1]:8/',
    'HTTP://LOCALHOST',
  ])('is at %s', (url) => expect(isLocalUrl(url)).toBe(true));
  it.each([
    'http://localhost.example.com/v1',
    'http://127.0.0.1.example.com',
    'http://localhost@example.com/',
    'http://192.168.1.2:11434/v1',
    'https://api.openai.com/v1',
    '',
  ])('is not at %s', (url) => expect(isLocalUrl(url)).toBe(false));
});

describe('the choice to send the open note', () => {
  const choices = (settings: object) => {
    const registry = new ModelRegistry({
      settings: createStore(readSettings(settings)),
      secrets: { getSecret: () => 'key', setSecret: () => undefined },
      fetchLike: () => Promise.resolve(fetch),
      chatAgents: { entries: createStore([]), putFirst: () => undefined },
      now: () => 0,
    });
    return ['google', 'ollama', 'agent', 'compatible'].map((provider) =>
      registry.openNoteChoice({ provider, model: 'claude' }),
    );
  };

  it('is made for each provider and agent, and only a local server needs none', () => {
    const remote = { compatible: { address: 'https://example.com/v1' } };
    expect(choices({ providers: remote })).toEqual([undefined, true, undefined, undefined]);
    expect(
      choices({ openNoteChoices: { google: true, ollama: false, 'agent/claude': true } }),
    ).toEqual([true, false, true, undefined]);
  });

  it('follows the address of a provider', () => {
    const providers = {
      google: { address: 'http://localhost:1/v1' },
      ollama: { address: 'http://box/v1' },
    };
    expect(choices({ providers }).slice(0, 2)).toEqual([true, undefined]);
  });

  it('is stored by agent, not for all agents', () => {
    expect(receiverKey({ provider: 'agent', model: 'codex' })).toBe('agent/codex');
    expect(receiverKey({ provider: 'openai', model: 'small' })).toBe('openai');
  });
});
