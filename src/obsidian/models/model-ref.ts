import { findProvider } from './providers.js';

export interface ModelRef {
  /** Id of the provider. */
  readonly provider: string;
  readonly model: string;
}

/** Provider of the agents on this device; the model is the agent's id. */
export const CHAT_AGENT_PROVIDER = 'agent';

/** Returns the model's name in messages and settings, such as `ollama/llama3.2`. */
export function formatModelRef({ provider, model }: ModelRef): string {
  return `${provider}/${model}`;
}

/** Parses the result of `formatModelRef`; undefined for other texts and unknown providers. */
export function parseModelRef(text: string | undefined): ModelRef | undefined {
  const [, provider, model] = /^([^/]+)\/(.+)$/su.exec(text ?? '') ?? [];
  if (provider === undefined || model === undefined) return undefined;
  return provider === CHAT_AGENT_PROVIDER || findProvider(provider)
    ? { provider, model }
    : undefined;
}
