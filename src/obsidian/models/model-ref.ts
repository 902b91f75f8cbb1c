import { findProvider } from './providers.js';

/** A model of a provider. */
export interface ModelRef {
  /** Id of the provider. */
  readonly provider: string;
  readonly model: string;
}

/** Returns the model's name in messages and settings, such as `ollama/llama3.2`. */
export function formatModelRef({ provider, model }: ModelRef): string {
  return `${provider}/${model}`;
}

/** Parses what `formatModelRef` returned; undefined for any other text and for an unknown provider. */
export function parseModelRef(text: string | undefined): ModelRef | undefined {
  const [, provider, model] = /^([^/]+)\/(.+)$/su.exec(text ?? '') ?? [];
  return provider !== undefined && model !== undefined && findProvider(provider)
    ? { provider, model }
    : undefined;
}
