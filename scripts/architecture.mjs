/**
 * Who may import whom. The rules of the dependency check and the table in the README are both made from this list,
 * so it is the only place to change. A folder is listed after those that it may import; Node's own modules are in no
 * row, because they are handed in.
 */
export const folders = [
  {
    name: 'model',
    holds:
      'the nouns (workspace, state, trace, conversation), the events, and the pure step from memory and event to memory',
    mayImport: [],
    packages: [],
  },
  {
    name: 'toolkit',
    holds:
      'how a tool is defined and called: access levels, validation, permission, failures in words',
    mayImport: ['model'],
    packages: ['zod'],
  },
  {
    name: 'storage',
    holds: 'the event log: encode, append, read, merge, verify, export, import; with its ports',
    mayImport: ['model'],
    packages: [],
  },
  {
    name: 'search',
    holds: 'tokenize, index, rank and excerpt, by word and by meaning; pure',
    mayImport: ['model'],
    packages: ['@orama/stemmers'],
  },
  {
    name: 'agents',
    holds: 'the tools, a file each; the list of an agent is its `index.ts`',
    mayImport: ['toolkit', 'storage', 'search', 'model'],
    packages: ['zod'],
  },
  {
    name: 'chat',
    holds:
      'a conversation and its turns, as events and pure steps between them; its port LanguageModel',
    mayImport: ['toolkit', 'storage', 'model'],
    packages: [],
  },
  {
    name: 'bridge',
    holds: 'from the toolset, which it is handed, to MCP',
    mayImport: ['toolkit', 'model'],
    packages: ['@modelcontextprotocol/*', 'zod'],
  },
  {
    name: 'node',
    holds: "the ports over a folder on disk; Node's modules are handed in",
    mayImport: ['bridge', 'toolkit', 'storage', 'model'],
    packages: ['jsonc-parser', 'smol-toml'],
  },
  {
    name: 'headless',
    holds: 'the Node entry: the same toolset as MCP over stdio and as a command line',
    mayImport: ['agents', 'bridge', 'node', 'toolkit', 'storage', 'search', 'model'],
    packages: [],
  },
  {
    name: 'obsidian',
    holds: 'the plugin: the ports over a vault in the app, commands, views and settings',
    mayImport: ['agents', 'chat', 'toolkit', 'storage', 'search', 'model'],
    packages: ['obsidian', 'preact', 'idb', 'diff', 'zod', '@ai-sdk/*', 'streaming-markdown'],
  },
  {
    name: 'main',
    holds: "the plugin's entry: what is opened at start, and closed at the end",
    mayImport: [
      'obsidian',
      'agents',
      'chat',
      'bridge',
      'node',
      'toolkit',
      'storage',
      'search',
      'model',
    ],
    packages: ['obsidian'],
  },
];

for (const [position, { name, mayImport }] of folders.entries()) {
  const earlier = folders.slice(0, position).map((folder) => folder.name);
  const wrong = mayImport.filter((other) => !earlier.includes(other));
  if (wrong.length > 0)
    throw new Error(
      `${name} may import only what stands above it in the list, not ${wrong.join(', ')}.`,
    );
}

/** The table as Markdown. */
export function renderFolderTable() {
  const rows = folders.map(({ name, holds, mayImport, packages }) => [
    name,
    holds,
    mayImport.join(', ') || 'nothing',
    packages.map((pattern) => `\`${pattern}\``).join(', ') || 'none',
  ]);
  const table = [
    ['Folder', 'Holds', 'May import', 'Packages'],
    ['---', '---', '---', '---'],
    ...rows,
  ];
  return table.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
