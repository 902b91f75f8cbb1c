const number = (value: number) => value.toLocaleString('en');
const notes = (count: number) => (count === 1 ? 'one note' : `${number(count)} notes`);

export const meaning = {
  name: 'Search by meaning',
  desc: 'A model of your own in place of the table that comes with Savepoint.',
  about: 'How notes are found by meaning',
  aboutDesc:
    'Savepoint brings a small table that knows what English words mean; nothing leaves this device for it. An embeddings model of your own knows more, and other languages. For it the text of every note that is searched is sent to its server once, and again when the note changes, and so is what agents search for; what you type yourself is not sent. Off unless you begin; it holds for this device alone.',
  protocol: {
    name: 'Server',
    desc: 'Ollama runs on your own computer. OpenAI-compatible is what most others speak.',
  },
  protocols: { ollama: 'Ollama', openai: 'OpenAI-compatible' },
  address: {
    name: 'Address',
    desc: 'Such as http://localhost:11434 for Ollama, or https://api.openai.com/v1.',
  },
  badAddress: 'Give an address that begins with http:// or https://.',
  model: {
    name: 'Embeddings model',
    desc: 'Such as nomic-embed-text for Ollama, or text-embedding-3-small for OpenAI.',
  },
  key: {
    name: 'Key',
    desc: 'Where the server wants one. It is kept by Obsidian on this device, not in the vault.',
  },
  test: {
    name: 'Test',
    desc: 'Sends one word.',
    button: 'Test',
    works: (length: number) => `It answers: vectors of ${number(length)} numbers.`,
  },
  nothingChosen: 'Give an address and a model first.',
  silent: (seconds: number) => `The embeddings server has not answered within ${seconds} seconds.`,
  status: {
    name: 'Ask the model about every note',
    noModel: 'No model is chosen. The table is used.',
    count: 'Count',
    begin: 'Begin',
    stop: 'Stop',
    ahead: (count: number, texts: number, tokens: number) =>
      `To be sent: ${notes(count)} in about ${number(texts)} texts, about ${number(tokens)} tokens.`,
    stopped: (done: number, total: number) =>
      `Off. ${number(done)} of ${notes(total)} have been answered; they are kept. The table is used.`,
    working: (done: number, total: number) =>
      `Asking: ${number(done)} of ${notes(total)} have been answered.`,
    ready: (done: number) => `Ready: ${notes(done)} answered. What changes is asked for by itself.`,
    sent: (texts: number, tokens: number) =>
      `Sent since the start: ${number(texts)} texts, ${number(tokens)} tokens.`,
  },
  outflow: {
    name: 'Sent to find notes by meaning',
    off: 'Nothing: no model of your own is in use on this device.',
    on: (address: string) =>
      `The text of the notes that are searched, and what agents search for, go to ${address}; to nobody else.`,
  },
};
