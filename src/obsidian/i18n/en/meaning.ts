import { counted } from '../../../model/text/counted.js';

const number = (value: number) => value.toLocaleString('en');
const notes = (count: number) => counted(count, 'note');

export const meaning = {
  name: 'Semantic search',
  desc: 'Use your own embedding model instead of the built-in one.',
  about: 'How semantic search works',
  aboutDesc:
    'The built-in model understands English and runs on this device. Your own embedding model can know more, and other languages. It requires sending the text of every searched note to its server once, and again when the note changes, as well as the queries of search tools. What you type in Search notes is not sent. Off by default; applies to this device only.',
  protocol: {
    name: 'Server',
    desc: 'Ollama runs on your own computer. Most other servers are OpenAI-compatible.',
  },
  protocols: { ollama: 'Ollama', openai: 'OpenAI-compatible' },
  address: {
    name: 'Address',
    desc: 'For example http://localhost:11434 for Ollama, or https://api.openai.com/v1.',
  },
  model: {
    name: 'Embedding model',
    desc: 'For example nomic-embed-text for Ollama, or text-embedding-3-small for OpenAI.',
  },
  key: {
    name: 'Key',
    desc: 'If the server requires one. Stored by Obsidian on this device, not in the vault.',
  },
  test: {
    name: 'Test',
    desc: 'Sends a one-word test.',
    works: (length: number) => `It works: vectors with ${number(length)} dimensions.`,
  },
  incomplete: 'Enter an address and a model first.',
  silent: (seconds: number) => `The embeddings server did not respond within ${seconds} seconds.`,
  status: {
    name: 'Index all notes',
    noModel: 'No model selected. Using the built-in model.',
    count: 'Count',
    begin: 'Start',
    ahead: (count: number, texts: number, tokens: number) =>
      `To be sent: ${notes(count)} in about ${number(texts)} texts, about ${number(tokens)} tokens.`,
    stopped: (done: number, total: number) =>
      `Off. ${number(done)} of ${notes(total)} are indexed and kept. Using the built-in model.`,
    working: (done: number, total: number) => `Indexing: ${number(done)} of ${notes(total)}.`,
    ready: (done: number) => `Ready: ${notes(done)} indexed. Changes are indexed automatically.`,
    sent: (texts: number, tokens: number) =>
      `Sent since the start: ${number(texts)} texts, ${number(tokens)} tokens.`,
  },
  outflow: {
    name: 'Sent for semantic search',
    off: "Nothing: you don't use your own model on this device.",
    on: (address: string) =>
      `The text of searched notes and the queries of search tools are sent to ${address}, and nowhere else.`,
  },
};
