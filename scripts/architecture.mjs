/** The folders that both programs, the command line and the plugin, are composed of. */
const PROGRAM_PARTS = [
  'model',
  'platform',
  'toolkit',
  'apps',
  'search',
  'brief',
  'storage',
  'capture',
  'bridge',
  'transfer',
  'indexing',
  'chat',
  'acp',
  'agents',
  'node',
];

/**
 * The folders and what each may import. The rules of the dependency check and the table in
 * DESIGN.md are both generated from this list. A folder is listed after those that it may import.
 * Node's own modules are not listed, because they are passed in.
 */
export const folders = [
  {
    name: 'model',
    holds:
      'entities (workspace, state, record, trace, conversation), events, and how an event changes the memory; pure',
    mayImport: [],
    packages: [],
  },
  {
    name: 'platform',
    holds:
      'what a host provides (clock, files, blobs, random), and primitives of no particular domain',
    mayImport: ['model'],
    packages: [],
  },
  {
    name: 'markdown',
    holds: 'Markdown: escaping text, making foreign text inert, reading frontmatter; pure',
    mayImport: ['model'],
    packages: [],
  },
  {
    name: 'toolkit',
    holds:
      'how a tool is defined and called: access levels, validation, permission, error messages',
    mayImport: ['model'],
    packages: ['zod'],
  },
  {
    name: 'apps',
    holds: 'one record per AI app: its names, settings files, hooks, transcripts, and agent; pure',
    mayImport: ['model'],
    packages: [],
  },
  {
    name: 'search',
    holds: 'the search engine: analysis, documents, segments, queries, vectors; pure',
    mayImport: ['model', 'platform', 'markdown'],
    packages: ['@orama/stemmers', 'chrono-node'],
  },
  {
    name: 'brief',
    holds: 'the brief: what an agent should know before it starts, within a budget of tokens; pure',
    mayImport: ['model', 'apps', 'search'],
    packages: [],
  },
  {
    name: 'storage',
    holds: 'the event log: format, reading, writing, integrity',
    mayImport: ['model', 'platform'],
    packages: ['@noble/hashes'],
  },
  {
    name: 'capture',
    holds: "what AI apps' sessions leave behind: consent, transcripts, checkpoints; pure",
    mayImport: ['model', 'platform', 'toolkit', 'apps'],
    packages: [],
  },
  {
    name: 'bridge',
    holds: 'the tools over MCP and over the local socket protocol',
    mayImport: ['model', 'platform', 'toolkit', 'apps', 'brief'],
    packages: ['@modelcontextprotocol/*', 'zod'],
  },
  {
    name: 'transfer',
    holds: 'export, import, states as notes, and imports from other programs',
    mayImport: ['model', 'platform', 'markdown', 'toolkit', 'apps', 'search', 'storage'],
    packages: [],
  },
  {
    name: 'indexing',
    holds: 'search indexes that follow notes and memory',
    mayImport: ['model', 'platform', 'search', 'storage'],
    packages: [],
  },
  {
    name: 'chat',
    holds: 'conversations and their turns, chat imports, and the port `LanguageModel`',
    mayImport: ['model', 'platform', 'markdown', 'toolkit', 'storage', 'transfer'],
    packages: [],
  },
  {
    name: 'acp',
    holds:
      'AI agents that answer in the chat: the Agent Client Protocol, and undoing what an agent changed; pure',
    mayImport: ['model', 'platform', 'toolkit', 'apps', 'chat'],
    packages: ['diff'],
  },
  {
    name: 'agents',
    holds:
      'the toolsets that agents call: a folder each, whose `index.ts` lists its tools, one file each',
    mayImport: ['model', 'platform', 'toolkit', 'apps', 'search', 'brief', 'storage', 'indexing'],
    packages: ['zod', 'diff'],
  },
  {
    name: 'node',
    holds:
      "ports over a folder on disk, servers, and connections to AI apps; Node's modules are passed in",
    mayImport: [
      'model',
      'platform',
      'toolkit',
      'apps',
      'brief',
      'storage',
      'capture',
      'transfer',
      'bridge',
      'acp',
    ],
    packages: ['isomorphic-git', 'jsonc-parser', 'smol-toml'],
  },
  {
    name: 'cli',
    holds: 'the command line: one table of arguments, one file per command',
    mayImport: PROGRAM_PARTS,
    packages: [],
  },
  {
    name: 'program',
    holds: 'the process as the host of a command, and the program that only runs hooks',
    mayImport: ['node', 'cli'],
    packages: [],
  },
  {
    name: 'headless',
    holds: "the program's entry point, which passes the process to the command line",
    mayImport: ['cli', 'program'],
    packages: [],
  },
  {
    name: 'obsidian',
    holds: "everything that uses Obsidian's API, one folder per feature",
    mayImport: [
      'model',
      'platform',
      'markdown',
      'toolkit',
      'apps',
      'search',
      'brief',
      'storage',
      'capture',
      'transfer',
      'indexing',
      'chat',
      'acp',
      'agents',
    ],
    packages: ['obsidian', 'preact', 'idb', 'diff', 'zod', '@ai-sdk/*', 'streaming-markdown'],
  },
  {
    name: 'plugin',
    holds: 'the session that is open while the plugin runs, with its servers',
    mayImport: [...PROGRAM_PARTS, 'obsidian'],
    packages: ['obsidian'],
  },
  {
    name: 'main',
    holds: "the plugin's entry point, which registers everything and returns",
    mayImport: ['agents', 'obsidian', 'plugin'],
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

/** Returns the folders that one may import in the shorter form: those, or all above but some. */
function importsOf(mayImport, at) {
  if (mayImport.length === 0) return 'nothing';
  const others = folders.slice(0, at).filter(({ name }) => !mayImport.includes(name));
  if (mayImport.length <= others.length + 2) return mayImport.join(', ');
  return `all above${others.map(({ name }, nth) => `${nth === 0 ? ' but ' : ', '}${name}`).join('')}`;
}

/** Returns the list as a Markdown table. */
export function renderFolderTable() {
  const rows = folders.map(({ name, holds, mayImport, packages }, at) => [
    name,
    holds,
    importsOf(mayImport, at),
    packages.map((pattern) => `\`${pattern}\``).join(', ') || 'none',
  ]);
  const table = [
    ['Folder', 'Holds', 'May import', 'Packages'],
    ['---', '---', '---', '---'],
    ...rows,
  ];
  return table.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
