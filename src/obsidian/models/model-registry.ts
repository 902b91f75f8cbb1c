import type { SecretStorage } from 'obsidian';
import { ModelFailure, type LanguageModel } from '../../chat/language-model.js';
import { yieldToHost } from '../host/browser-ports.js';
import type { Settings } from '../settings-schema.js';
import type { Store } from '../store.js';
import { text } from '../i18n/index.js';
import { contextLimitOf } from './context-limits.js';
import { failureFromResponse, failureFromNetwork } from './failures.js';
import { listRequest, parseModelList, type OfferedModel, type TokenPrice } from './model-list.js';
import { PROVIDERS, secretId, type Provider } from './providers.js';

/** A model of a provider, as a message names it: `ollama/llama3.2`. */
export interface ModelRef {
  readonly provider: string;
  readonly model: string;
}

export function formatModelRef({ provider, model }: ModelRef): string {
  return `${provider}/${model}`;
}

/** Undefined where the text names no model of a provider that is known here. */
export function parseModelRef(text: string | undefined): ModelRef | undefined {
  const [, provider, model] = /^([^/]+)\/(.+)$/su.exec(text ?? '') ?? [];
  return provider !== undefined && model !== undefined && findProvider(provider)
    ? { provider, model }
    : undefined;
}

function findProvider(id: string): Provider | undefined {
  return PROVIDERS.find((provider) => provider.id === id);
}

/** The models that a person may talk to: those of the providers that are set up on this device. */
export interface ModelRegistry {
  readonly settings: Store<Settings>;
  /** The providers that have been set up, each with the model in use. */
  configured(): readonly { provider: Provider; ref: ModelRef }[];
  /** The model for a new conversation; undefined where none is set up. */
  preferred(): ModelRef | undefined;
  baseUrlOf(provider: Provider): string;
  keyOf(provider: Provider): string;
  setKey(provider: Provider, key: string): void;
  /** What the provider offers. Throws a `ModelFailure`. */
  list(provider: Provider): Promise<readonly OfferedModel[]>;
  /** What a token of the model costs, where its provider has said so. */
  priceOf(ref: ModelRef): TokenPrice | undefined;
  /** The model; what is missing for it, it tells when it is asked. */
  open(ref: ModelRef | undefined): LanguageModel;
  /** Asks the model in use for a word. Throws a `ModelFailure`; answers the words. */
  test(provider: Provider): Promise<string>;
}

export interface ModelRegistryOptions {
  readonly settings: Store<Settings>;
  readonly secrets: Pick<SecretStorage, 'getSecret' | 'setSecret'>;
  readonly fetchLike: () => Promise<typeof fetch>;
  readonly now: () => number;
}

const TEST_TIME = 30_000;

export function createModels({ settings, secrets, fetchLike, now }: ModelRegistryOptions): ModelRegistry {
  /** What providers have said of their models, by the model. */
  const facts = new Map<string, OfferedModel>();
  /** The providers that have been asked for that beside a message. */
  const asked = new Set<string>();
  const isOnline = () => navigator.onLine;

  const addressOf = ({ id, baseUrl }: Provider) => {
    const set = settings.get().providers[id]?.address.trim() ?? '';
    return (set === '' ? baseUrl : set).replace(/\/+$/, '');
  };
  const keyOf = ({ id }: Provider) => secrets.getSecret(secretId(id)) ?? '';

  function ready() {
    return PROVIDERS.flatMap((provider) => {
      const model = settings.get().providers[provider.id]?.model ?? '';
      if (model === '' || missing(provider) !== undefined) return [];
      return [{ provider, ref: { provider: provider.id, model } }];
    });
  }

  /** What a provider still wants before it can be asked. */
  function missing(provider: Provider): ModelFailure | undefined {
    if (provider.keyUrl !== undefined && keyOf(provider) === '')
      return new ModelFailure('key', text.chat.models.noKey(provider.name, provider.keyUrl));
    return addressOf(provider) === ''
      ? new ModelFailure('model', text.chat.models.noAddress(provider.name))
      : undefined;
  }

  async function list(provider: Provider): Promise<readonly OfferedModel[]> {
    const wanted = missing(provider);
    if (wanted) throw wanted;
    const { url, headers } = listRequest(provider, addressOf(provider), keyOf(provider));
    const ask = await fetchLike();
    const answer = await ask(url, { headers, signal: AbortSignal.timeout(TEST_TIME) }).catch(() => {
      throw failureFromNetwork(provider.name, addressOf(provider), isOnline());
    });
    const body = await answer.text();
    if (!answer.ok) {
      const told = { status: answer.status, body, headers: Object.fromEntries(answer.headers) };
      throw failureFromResponse(provider.name, '', told, now());
    }
    const models = parseModelList(parse(body));
    if (!models) throw new ModelFailure('broken', text.chat.models.noList(provider.name));
    for (const model of models)
      facts.set(formatModelRef({ provider: provider.id, model: model.id }), model);
    return models;
  }

  function open(ref: ModelRef | undefined): LanguageModel {
    const provider = ref && findProvider(ref.provider);
    return {
      name: ref?.model ?? '',
      contextLimit:
        ref &&
        provider &&
        (facts.get(formatModelRef(ref))?.contextLimit ?? contextLimitOf(provider, ref.model)),
      async *stream(request, signal) {
        if (!ref || !provider) throw new ModelFailure('model', text.chat.models.none);
        const wanted = missing(provider);
        if (wanted) throw wanted;
        askOnce(provider);
        const { createSdkModel } = await import('./sdk-model.js'); // much code, so it is evaluated only once it is wanted
        await yieldToHost(); // and what is asked then is a task of its own
        const options = {
          baseUrl: addressOf(provider),
          model: ref.model,
          apiKey: keyOf(provider),
          fetchLike: await fetchLike(),
        };
        yield* createSdkModel({ ...options, provider, isOnline, now }).stream(request, signal);
      },
    };
  }

  /** How much its models read shows beside the first message. Who does not tell is not asked again: the answer itself does not need it. */
  function askOnce(provider: Provider): void {
    if (
      asked.has(provider.id) ||
      [...facts.keys()].some((model) => model.startsWith(`${provider.id}/`))
    )
      return;
    asked.add(provider.id);
    void list(provider).catch(() => undefined);
  }

  async function test(provider: Provider): Promise<string> {
    const model = settings.get().providers[provider.id]?.model ?? '';
    if (model === '') throw new ModelFailure('model', text.chat.models.chooseModel);
    const signal = AbortSignal.timeout(TEST_TIME);
    const request = {
      system: 'Be brief.',
      messages: [{ role: 'user' as const, text: 'Answer with the one word "yes".' }],
      tools: [],
    };
    let said = '';
    try {
      for await (const event of open({ provider: provider.id, model }).stream(request, signal))
        if (event.type === 'text') said += event.text;
    } catch (error) {
      throw signal.aborted
        ? new ModelFailure('silent', text.chat.models.silent(provider.name, TEST_TIME / 1000))
        : error;
    }
    return said.trim();
  }

  return {
    settings,
    configured: ready,
    baseUrlOf: addressOf,
    keyOf,
    list,
    open,
    test,
    preferred() {
      const all = ready();
      return (all.find(({ ref }) => ref.provider === settings.get().chatProvider) ?? all[0])?.ref;
    },
    priceOf: (ref) => facts.get(formatModelRef(ref))?.price,
    setKey: ({ id }, key) => secrets.setSecret(secretId(id), key),
  };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined; // a gateway's page
  }
}
