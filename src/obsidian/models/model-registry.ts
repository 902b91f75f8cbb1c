import type { SecretStorage } from 'obsidian';
import { parseJson } from '../../model/text/json-fields.js';
import {
  ModelFailure,
  type LanguageModel,
  type ModelEvent,
  type ModelRequest,
} from '../../chat/language-model.js';
import type { ChatAgent } from '../../acp/known-chat-agents.js';
import { withDeadline } from '../../platform/deadline.js';
import type { ChatAgentList } from '../chat-agents/chat-agent-list.js';
import { createWindowClock, yieldToHost } from '../host/browser-ports.js';
import { text } from '../i18n/index.js';
import type { Settings } from '../settings-schema.js';
import type { Store } from '../store.js';
import { contextLimitOf } from './context-limits.js';
import { failureFromNetwork, failureFromResponse } from './failures.js';
import {
  listRequest,
  parseModelList,
  parseShown,
  showRequest,
  type ListRequest,
  type OfferedModel,
  type TokenPrice,
} from './model-list.js';
import { CHAT_AGENT_PROVIDER, formatModelRef, type ModelRef } from './model-ref.js';
import { findProvider, isLocalUrl, PROVIDERS, secretId, type Provider } from './providers.js';

export interface ModelRegistryOptions {
  readonly settings: Store<Settings>;
  readonly secrets: Pick<SecretStorage, 'getSecret' | 'setSecret'>;
  readonly fetchLike: () => Promise<typeof fetch>;
  readonly chatAgents: Pick<ChatAgentList, 'entries' | 'putFirst'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A provider that is set up on this device, with the model in use. */
interface ConfiguredProvider {
  readonly provider: Provider;
  readonly ref: ModelRef;
}

const REQUEST_TIMEOUT_MS = 30_000;
const DEADLINE = { clock: createWindowClock(), ms: REQUEST_TIMEOUT_MS };

/** The models of the providers that are set up on this device. */
export class ModelRegistry {
  readonly settings: Store<Settings>;
  readonly chatAgents: Store<readonly ChatAgent[]>;
  readonly #options: ModelRegistryOptions;
  /** Models as their providers list them, by `formatModelRef`. */
  readonly #offered = new Map<string, OfferedModel>();
  /** Answers about providers and models that a message or image needed, by their names. */
  readonly #asked = new Map<string, Promise<unknown>>();
  #lastEdited: string | undefined;

  constructor(options: ModelRegistryOptions) {
    this.settings = options.settings;
    this.chatAgents = options.chatAgents.entries;
    this.#options = options;
  }

  /** Returns the providers that are set up. */
  configured(): readonly ConfiguredProvider[] {
    return PROVIDERS.flatMap((provider) => {
      const model = this.#modelOf(provider);
      if (model === '' || this.#findMissing(provider)) return [];
      return [{ provider, ref: { provider: provider.id, model } }];
    });
  }

  /** Returns the model for new conversations; undefined if none is set up. */
  preferred(): ModelRef | undefined {
    const all = this.configured();
    const { chatProvider } = this.settings.get();
    const agent = this.chatAgents.get()[0];
    const agentRef = agent && { provider: CHAT_AGENT_PROVIDER, model: agent.id };
    if (agentRef && chatProvider === CHAT_AGENT_PROVIDER) return agentRef;
    return (all.find(({ ref }) => ref.provider === chatProvider) ?? all[0])?.ref ?? agentRef;
  }

  /** Adds an agent to those of this device, before the others. */
  addChatAgent(agent: ChatAgent): void {
    this.#options.chatAgents.putFirst(agent);
  }

  /** Makes an agent the first one, so that new conversations use it. */
  preferChatAgent(ref: ModelRef): void {
    const agent = this.#agentOf(ref);
    if (agent) this.#options.chatAgents.putFirst(agent);
  }

  /** Returns a model's name as it is shown to the user. */
  nameOf(ref: ModelRef): string {
    return this.#agentOf(ref)?.title ?? ref.model;
  }

  #agentOf({ provider, model }: ModelRef): ChatAgent | undefined {
    const agents = provider === CHAT_AGENT_PROVIDER ? this.chatAgents.get() : [];
    return agents.find(({ id }) => id === model);
  }

  /** Returns the name of who receives what is sent to a model. */
  receiverOf(ref: ModelRef): string {
    return findProvider(ref.provider)?.name ?? this.nameOf(ref);
  }

  /** Returns the user's choice; by default true for servers on this device, else undefined. */
  openNoteChoice(ref: ModelRef): boolean | undefined {
    const provider = findProvider(ref.provider);
    const choice = this.settings.get().openNoteChoices[receiverKey(ref)];
    return choice ?? (provider && isLocalUrl(this.baseUrlOf(provider)) ? true : undefined);
  }

  /** Returns the id of the provider that was edited last, else of the preferred one. */
  lastEdited(): string {
    const { chatProvider } = this.settings.get();
    const candidates = [this.#lastEdited, chatProvider, this.preferred()?.provider];
    const found = candidates.find((id) => id !== undefined && findProvider(id) !== undefined);
    return found ?? PROVIDERS[0]?.id ?? '';
  }

  setLastEdited(id: string): void {
    this.#lastEdited = id;
  }

  /** Returns the base URL from the settings, else the provider's default. */
  baseUrlOf({ id, baseUrl }: Provider): string {
    const own = this.settings.get().providers[id]?.address.trim() ?? '';
    return (own === '' ? baseUrl : own).replace(/\/+$/, '');
  }

  /** Returns the provider's API key; `''` if there is none on this device. */
  apiKey({ id }: Provider): string {
    return this.#options.secrets.getSecret(secretId(id)) ?? '';
  }

  setKey({ id }: Provider, key: string): void {
    this.#options.secrets.setSecret(secretId(id), key);
  }

  /** Requests the provider's list of models. Throws a `ModelFailure` if that fails. */
  async list(provider: Provider): Promise<readonly OfferedModel[]> {
    const missing = this.#findMissing(provider);
    if (missing) throw missing;
    const models = parseModelList(await this.#request(provider, this.#listRequest(provider)));
    if (!models) throw new ModelFailure('broken', text.chat.models.noList(provider.name));
    for (const model of models)
      this.#offered.set(formatModelRef({ provider: provider.id, model: model.id }), model);
    return models;
  }

  /** Returns what the model's server says about images; undefined if it says nothing. */
  async takesImages(ref: ModelRef): Promise<boolean | undefined> {
    const provider = findProvider(ref.provider);
    if (!provider) return undefined;
    await this.#listOnce(provider);
    const name = formatModelRef(ref);
    const listed = this.#offered.get(name)?.takesImages;
    if (listed !== undefined || provider.keyUrl !== undefined) return listed;
    const request = showRequest(this.#listRequest(provider), ref.model);
    return parseShown(await this.#once(name, () => this.#request(provider, request)));
  }

  /** Returns the price of the model's tokens, if its provider has listed it. */
  priceOf(ref: ModelRef): TokenPrice | undefined {
    return this.#offered.get(formatModelRef(ref))?.price;
  }

  /** Returns the model. If something is not set up, its `stream` throws a `ModelFailure`. */
  open(ref: ModelRef | undefined): LanguageModel {
    return {
      name: ref?.model ?? '',
      contextLimit: ref && this.#contextLimitOf(ref),
      stream: (request, signal) => this.#stream(ref, request, signal),
    };
  }

  /** Sends a one-word request to the model in use. Throws a `ModelFailure` if it fails. */
  async test(provider: Provider): Promise<string> {
    const model = this.#modelOf(provider);
    if (model === '') throw new ModelFailure('model', text.chat.models.chooseModel);
    const request: ModelRequest = {
      system: 'Be brief.',
      messages: [{ role: 'user', text: 'Answer with the one word "yes".' }],
      tools: [],
    };
    const ask = async (signal: AbortSignal) => {
      let answer = '';
      try {
        for await (const event of this.#stream({ provider: provider.id, model }, request, signal))
          if (event.type === 'text') answer += event.text;
      } catch (error) {
        if (!signal.aborted) throw error;
        const seconds = REQUEST_TIMEOUT_MS / 1000;
        throw new ModelFailure('silent', text.chat.models.silent(provider.name, seconds));
      }
      return answer.trim();
    };
    return withDeadline(ask, DEADLINE);
  }

  async *#stream(
    ref: ModelRef | undefined,
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent> {
    const provider = ref && findProvider(ref.provider);
    if (!provider) throw new ModelFailure('model', text.chat.models.none);
    const missing = this.#findMissing(provider);
    if (missing) throw missing;
    void this.#listOnce(provider);
    const { fetchLike, now } = this.#options;
    // large, so it is evaluated only when it is needed
    const { createSdkModel } = await import('./sdk-model.js');
    await yieldToHost(); // evaluating it and building the request are separate tasks
    const model = createSdkModel({
      provider,
      baseUrl: this.baseUrlOf(provider),
      model: ref.model,
      apiKey: this.apiKey(provider),
      fetchLike: await fetchLike(),
      isOnline: () => navigator.onLine,
      now,
    });
    yield* model.stream(request, signal);
  }

  #listRequest(provider: Provider): ListRequest {
    return listRequest(provider, this.baseUrlOf(provider), this.apiKey(provider));
  }

  async #request(provider: Provider, { url, ...init }: ListRequest): Promise<unknown> {
    const { fetchLike, now } = this.#options;
    const fetchList = await fetchLike();
    const method = init.body === undefined ? 'GET' : 'POST';
    const request = async (signal: AbortSignal) => {
      const response = await fetchList(url, { method, ...init, signal }).catch(() => {
        throw failureFromNetwork(provider.name, this.baseUrlOf(provider), navigator.onLine);
      });
      return { response, body: await response.text() };
    };
    const { response, body } = await withDeadline(request, DEADLINE);
    if (response.ok) return parseJson(body);
    const { status } = response;
    const error = { status, body, headers: Object.fromEntries(response.headers) };
    throw failureFromResponse(provider.name, '', error, now());
  }

  #modelOf({ id }: Provider): string {
    return this.settings.get().providers[id]?.model ?? '';
  }

  #contextLimitOf(ref: ModelRef): number | undefined {
    const provider = findProvider(ref.provider);
    if (!provider) return undefined;
    const listed = this.#offered.get(formatModelRef(ref))?.contextLimit;
    return listed ?? contextLimitOf(provider, ref.model);
  }

  /** Returns the failure that names the setting a provider still lacks, if any. */
  #findMissing(provider: Provider): ModelFailure | undefined {
    const { keyUrl, name } = provider;
    if (keyUrl !== undefined && this.apiKey(provider) === '')
      return new ModelFailure('key', text.chat.models.noKey(name, keyUrl));
    return this.baseUrlOf(provider) === ''
      ? new ModelFailure('model', text.chat.models.noAddress(name))
      : undefined;
  }

  /** Loads the list along with the first message or image. */
  async #listOnce(provider: Provider): Promise<void> {
    const isKnown = [...this.#offered.keys()].some((ref) => ref.startsWith(`${provider.id}/`));
    if (!isKnown) await this.#once(provider.id, () => this.list(provider));
  }

  /** Returns what is known or asks for it; undefined after a failure. */
  #once(name: string, ask: () => Promise<unknown>): Promise<unknown> {
    const known = this.#asked.get(name) ?? ask().catch(() => undefined);
    this.#asked.set(name, known);
    return known;
  }
}

/** Returns the key of a provider or agent in the settings. */
export function receiverKey(ref: ModelRef): string {
  return ref.provider === CHAT_AGENT_PROVIDER ? formatModelRef(ref) : ref.provider;
}
