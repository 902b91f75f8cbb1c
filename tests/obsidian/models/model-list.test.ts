import { describe, expect, it } from 'vitest';
import { listRequest, readModelList } from '../../../src/obsidian/models/model-list.js';
import { PROVIDERS } from '../../../src/obsidian/models/providers.js';

const provider = (id: string) => PROVIDERS.find((each) => each.id === id)!;

describe('the list of models', () => {
  it('is asked for with the key where each provider wants it, and never in the address', () => {
    for (const each of PROVIDERS)
      expect(listRequest(each, 'http://x/v1/', 'secret').url).toMatch(/^http:\/\/x\/v1\/models/);
    expect(listRequest(provider('anthropic'), 'http://x', 'secret').headers['x-api-key']).toBe(
      'secret',
    );
    expect(listRequest(provider('google'), 'http://x', 'secret').headers['x-goog-api-key']).toBe(
      'secret',
    );
    expect(listRequest(provider('ollama'), 'http://x', 'secret').headers['authorization']).toBe(
      'Bearer secret',
    );
    expect(listRequest(provider('ollama'), 'http://x', '').headers).toEqual({});
  });

  it('holds what can talk, in the order of the names', () => {
    const data = [
      { id: 'large-10' },
      { id: 'large-9', context_length: 128_000 },
      { id: 'text-embedding-3' },
      { id: 7 },
    ];
    expect(readModelList({ data })).toEqual([
      { id: 'large-9', contextLimit: 128_000 },
      { id: 'large-10', contextLimit: undefined },
    ]);
    const models = [
      {
        name: 'models/small',
        supportedGenerationMethods: ['generateContent'],
        inputTokenLimit: 1000,
      },
      { name: 'models/other', supportedGenerationMethods: ['embedContent'] },
    ];
    expect(readModelList({ models })).toEqual([{ id: 'small', contextLimit: 1000 }]);
  });

  it('is told from anything else', () => {
    for (const answer of [undefined, null, 'x', [], {}, { data: 'x' }])
      expect(readModelList(answer)).toBeUndefined();
  });
});
