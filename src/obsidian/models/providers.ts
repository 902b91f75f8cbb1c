/** A provider of models, as the person can choose it. The address is where its API is; for one's own machine it may be another. */
export interface Provider {
  readonly id: string;
  readonly name: string;
  readonly protocol: 'anthropic' | 'openai' | 'google' | 'compatible';
  readonly baseUrl: string;
  /** Whether it wants a key, and where a person gets one. */
  readonly keyUrl: string | undefined;
  /** Whether the address is the person's to set. */
  readonly isAddressOpen: boolean;
}

export const PROVIDERS: readonly Provider[] = [
  provider(
    'anthropic',
    'Anthropic',
    'anthropic',
    'https://api.anthropic.com/v1',
    'https://console.anthropic.com/settings/keys',
  ),
  provider(
    'openai',
    'OpenAI',
    'openai',
    'https://api.openai.com/v1',
    'https://platform.openai.com/api-keys',
  ),
  provider(
    'google',
    'Google',
    'google',
    'https://generativelanguage.googleapis.com/v1beta',
    'https://aistudio.google.com/apikey',
  ),
  provider(
    'openrouter',
    'OpenRouter',
    'compatible',
    'https://openrouter.ai/api/v1',
    'https://openrouter.ai/settings/keys',
  ),
  provider('ollama', 'Ollama', 'compatible', 'http://localhost:11434/v1', undefined),
  provider('lmstudio', 'LM Studio', 'compatible', 'http://localhost:1234/v1', undefined),
  {
    ...provider('compatible', 'OpenAI-compatible', 'compatible', '', undefined),
    isAddressOpen: true,
  },
];

function provider(
  id: string,
  name: string,
  protocol: Provider['protocol'],
  baseUrl: string,
  keyUrl: string | undefined,
): Provider {
  return { id, name, protocol, baseUrl, keyUrl, isAddressOpen: keyUrl === undefined };
}

/** The id under which the app's secret storage keeps a provider's key. */
export function secretId(providerId: string): string {
  return `savepoint-${providerId}`;
}
