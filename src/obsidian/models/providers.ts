export interface Provider {
  readonly id: string;
  readonly name: string;
  readonly protocol: 'anthropic' | 'openai' | 'google' | 'compatible';
  /** Base URL of its API; `''` if the user has to enter one. */
  readonly baseUrl: string;
  /** Page where the user gets an API key; undefined if the provider needs none. */
  readonly keyUrl: string | undefined;
  /** True if the user may change the base URL. */
  readonly isAddressEditable: boolean;
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
    isAddressEditable: true,
  },
];

function provider(
  id: string,
  name: string,
  protocol: Provider['protocol'],
  baseUrl: string,
  keyUrl: string | undefined,
): Provider {
  return { id, name, protocol, baseUrl, keyUrl, isAddressEditable: keyUrl === undefined };
}

export function findProvider(id: string): Provider | undefined {
  return PROVIDERS.find((provider) => provider.id === id);
}

/** Returns true for the URL of a server on this device. */
export function isLocalUrl(url: string): boolean {
  return /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:\/|$)/iu.test(url);
}

/** Returns the id of a provider's API key in the app's secret storage. */
export function secretId(providerId: string): string {
  return `savepoint-${providerId}`;
}
