import { describe, expect, it } from 'vitest';
import {
  listRequest,
  parseModelList,
  parseShown,
  sensibleModel,
  showRequest,
} from '../../../src/obsidian/models/model-list.js';
import { PROVIDERS } from '../../../src/obsidian/models/providers.js';

const provider = (id: string) => PROVIDERS.find((each) => each.id === id)!;

describe('the list of models', () => {
  it('is requested with the key in a header, never in the URL', () => {
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

  it('contains only the chat models, sorted by name', () => {
    const data = [
      { id: 'large-10' },
      { id: 'large-9', context_length: 128_000 },
      { id: 'text-embedding-3' },
      { id: 7 },
    ];
    expect(parseModelList({ data })).toEqual([
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
    expect(parseModelList({ models })).toEqual([{ id: 'small', contextLimit: 1000 }]);
  });

  it.each([
    [{ architecture: { input_modalities: ['text', 'image'] } }, true],
    [{ architecture: { input_modalities: ['text'] } }, false],
    [{ capabilities: { vision: true } }, true],
    [{ capabilities: { image_input: { supported: false } } }, false],
    [{ capabilities: ['tools'] }, undefined],
    [{ capabilities: { tools: true } }, undefined],
    [{}, undefined],
  ])('says of %j whether the model takes images', (facts, takesImages) => {
    expect(parseModelList({ data: [{ id: 'a', ...facts }] })).toMatchObject([{ takesImages }]);
  });

  it('says with what a server of Ollama describes a model', () => {
    for (const base of ['http://x/v1', 'http://x/v1/', 'http://x']) {
      const list = listRequest(provider('ollama'), base, 'secret');
      expect(showRequest(list, 'a')).toEqual({
        url: 'http://x/api/show',
        headers: { authorization: 'Bearer secret' },
        body: '{"model":"a"}',
      });
    }
    expect(parseShown({ capabilities: ['completion', 'vision'] })).toBe(true);
    expect(parseShown({ capabilities: ['completion'] })).toBe(false);
    for (const other of [undefined, null, 'x', {}, { error: 'not found' }])
      expect(parseShown(other)).toBeUndefined();
  });

  it('suggests the newest model of a known family, else the first one', () => {
    const list = (...ids: string[]) => parseModelList({ data: ids.map((id) => ({ id })) })!;
    const claude = list('claude-opus-5', 'claude-sonnet-4-5', 'claude-sonnet-5', 'claude-haiku-4');
    expect(sensibleModel(provider('anthropic'), claude)).toBe('claude-sonnet-5');
    const gpt = list('gpt-4o', 'gpt-5', 'gpt-5.2', 'gpt-5-mini', 'o4');
    expect(sensibleModel(provider('openai'), gpt)).toBe('gpt-5.2');
    expect(sensibleModel(provider('ollama'), list('qwen3', 'llama4'))).toBe('llama4');
    expect(sensibleModel(provider('ollama'), [])).toBeUndefined();
  });

  it('is undefined for any other response', () => {
    for (const answer of [undefined, null, 'x', [], {}, { data: 'x' }])
      expect(parseModelList(answer)).toBeUndefined();
  });
});
