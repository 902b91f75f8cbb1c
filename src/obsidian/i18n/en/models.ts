import { counted } from '../../../model/text/counted.js';

/** Texts that say why a provider did not answer and what to do. */
export const failures = {
  said: (words: string) => ` It said: "${words}"`,
  again: 'Try again in a minute.',
  againIn: (seconds: number) => `Try again in ${seconds} seconds.`,
  key: (provider: string) =>
    `${provider} rejected the key. Check it under Settings, Savepoint, Models.`,
  tooLong: (model: string) =>
    `The conversation is too long for ${model}. Save a state and continue in a new conversation.`,
  quota: (provider: string) =>
    `Your ${provider} account has no credit left. Add credit or choose another provider.`,
  model: (provider: string, model: string) =>
    `${provider} does not know the model "${model}". Choose one from its list.`,
  tooMuch: (provider: string) => `The message is too long for ${provider}. Send a shorter one.`,
  tooMany: (provider: string, again: string) => `${provider} is rate-limiting this key. ${again}`,
  overloaded: (provider: string, again: string) => `${provider} is overloaded. ${again}`,
  broken: (provider: string, status: number, again: string) =>
    `${provider} had a server error (${status}). ${again}`,
  refused: (provider: string, status: number) =>
    `${provider} refused the request (${status}). Choose another model, or try again.`,
  images: (provider: string, status: number, model: string) =>
    `${provider} refused the message with the image (${status}): ${model} may not take images. Choose another model, or write again without it.`,
  noImages: (model: string) =>
    `${model} doesn't take images. Choose another model, or leave the image out.`,
  unfitImage: (name: string) =>
    `Can't send "${name}". Choose a PNG, JPEG, GIF or WebP up to 3.5 MB, outside excluded folders.`,
  heldBack: 'The provider blocked the answer under its own policy. Rephrase your message.',
  local: (provider: string, url: string) =>
    `${provider} doesn't respond at ${url}. Start it, or allow requests from Obsidian (for Ollama: OLLAMA_ORIGINS=app://obsidian.md*).`,
  offline: 'This device is offline. Connect to the internet and try again.',
  unreachable: (provider: string) =>
    `Can't reach ${provider}: the network, a firewall or its CORS policy blocked the request. Check the address, then try again.`,
};

/** Texts of the settings for providers and models. */
export const models = {
  name: 'Models',
  desc: 'AI providers, keys and models for chat.',
  preferred: {
    name: 'Model for new conversations',
    desc: 'You can switch models in each conversation.',
  },
  add: 'Set up a model',
  provider: 'Provider',

  keyDesc: (where: string) =>
    `Stored in Obsidian's secret storage on this device, never in the vault. Get a key at ${where}.`,
  keyOptional:
    "If the server requires one. Stored in Obsidian's secret storage on this device, never in the vault.",
  addressDesc: 'URL of the OpenAI-compatible API, for example http://localhost:11434/v1.',
  badAddress: 'Enter an address that starts with http:// or https://.',
  model: 'Model',
  modelDesc: 'Choose a model from the list or type its name.',
  modelPlaceholder: 'Model name',
  load: 'Load models',
  loading: 'Loading…',
  loaded: (count: number) => `${counted(count, 'model')} available.`,
  inUse: (model: string) => `Using ${model}. You can choose another one.`,
  testing: 'Testing…',
  works: (model: string) => `It works: ${model} answered.`,
  done: 'Done',
  notSetUp: 'Not set up',
  none: 'No model set up yet. Add a provider, then try again.',
  noKey: (provider: string, where: string) =>
    `No key for ${provider} on this device. Get one at ${where} and add it under Models.`,
  noAddress: (provider: string) => `The address of "${provider}" is not set. Add it under Models.`,
  noList: (provider: string) =>
    `${provider} did not return a list of models. Check the address, or type the name of a model.`,
  chooseModel: 'Choose a model first, or type its name.',
  silent: (provider: string, seconds: number) =>
    `${provider} did not answer within ${seconds} seconds. Check that it runs, then try again.`,
};
