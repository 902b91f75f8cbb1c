/** The folders that both programs, the command line and the plugin, are composed of. */
const PROGRAM_PARTS = [
  'model',
  'redaction',
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
 * The folders, what each may import, and in a few words what it does not see. The dependency check
 * enforces `mayImport`, and the table in DESIGN.md shows the walls. A folder is listed after those
 * that it may import. Of one that `hasIndex`, only what index.ts offers may be imported. Node's own
 * modules are not listed, because they are passed in.
 */
export const folders = [
  {
    name: 'model',
    holds:
      'entities, events, how an event changes the memory, and small functions over texts that every folder needs; pure',
    walls: 'sees no other folder, no clock and no disk',
    mayImport: [],
    packages: [],
  },
  {
    name: 'redaction',
    holds: 'finding secrets in texts and replacing them, before texts are stored or shown; pure',
    walls: 'sees only texts',
    mayImport: ['model'],
    packages: [],
  },
  {
    name: 'platform',
    holds:
      'ports to the host (clock, files, blobs, random, the device and its projects), and primitives of no domain',
    walls: 'says what a host can do, and does none of it',
    mayImport: ['model'],
    packages: [],
  },
  {
    name: 'markdown',
    holds: 'escaping text, making foreign text inert, reading frontmatter; pure',
    walls: 'sees text, not files',
    mayImport: ['model'],
    packages: [],
  },
  {
    name: 'toolkit',
    holds:
      'how a tool is defined and called: parameters, what a client may do, approval, answer, errors',
    walls: 'knows no tool, no log and no host',
    mayImport: ['model', 'redaction'],
    packages: ['zod'],
  },
  {
    name: 'apps',
    holds:
      'one record per AI app: names, settings files, hooks, agent, parser of transcripts; pure',
    walls: 'reads no file: it gets texts',
    mayImport: ['model', 'redaction'],
    packages: [],
  },
  {
    name: 'search',
    holds: 'the search engine: analysis, documents, segments, queries, vectors; pure',
    walls: 'knows no log, no tool and no host',
    mayImport: ['model', 'platform', 'markdown'],
    packages: ['@orama/stemmers', 'chrono-node'],
    hasIndex: true,
  },
  {
    name: 'brief',
    holds: 'what an agent should know before it starts and while it works, within few tokens; pure',
    walls: 'gets the memory as an argument; sees no log',
    mayImport: ['model', 'redaction', 'apps', 'search'],
    packages: [],
  },
  {
    name: 'storage',
    holds: 'the event log: format, reading, writing, forgetting, integrity',
    walls: 'knows no tool, no search and no host',
    mayImport: ['model', 'platform'],
    packages: ['@noble/hashes'],
    hasIndex: true,
  },
  {
    name: 'capture',
    holds: 'what of a session may be recorded, and the checkpoint made from it; pure',
    walls: 'gets transcripts as text; sees no log and no disk',
    mayImport: ['model', 'redaction', 'platform', 'toolkit', 'apps'],
    packages: [],
  },
  {
    name: 'bridge',
    holds: 'the tools over MCP and over the local socket protocol',
    walls: 'knows no tool and no log: the toolkit is passed in',
    mayImport: ['model', 'redaction', 'platform', 'toolkit', 'apps', 'brief'],
    packages: ['@modelcontextprotocol/*', 'zod'],
  },
  {
    name: 'transfer',
    holds: 'export, import, states and tasks as notes and back, and what other programs remember',
    walls: 'knows no tool that agents call, and no host',
    mayImport: [
      'model',
      'redaction',
      'platform',
      'markdown',
      'toolkit',
      'apps',
      'search',
      'storage',
    ],
    packages: [],
  },
  {
    name: 'indexing',
    holds: 'search indexes that follow notes and memory',
    walls: 'neither search nor storage knows of it',
    mayImport: ['model', 'platform', 'search', 'storage'],
    packages: [],
  },
  {
    name: 'chat',
    holds: 'conversations and their turns, chat imports, and the port `LanguageModel`',
    walls: 'knows no provider: a model is a port',
    mayImport: ['model', 'redaction', 'platform', 'markdown', 'toolkit', 'storage', 'transfer'],
    packages: [],
  },
  {
    name: 'acp',
    holds: 'AI agents that answer in the chat, and undoing what they changed; pure',
    walls: 'starts no process: an agent is a stream of lines',
    mayImport: ['model', 'platform', 'toolkit', 'apps', 'chat'],
    packages: ['diff'],
  },
  {
    name: 'agents',
    holds:
      'the toolsets that agents call: a folder each, one file per tool, and what several of them share',
    walls: 'knows no transport, host or app window; no toolset sees another',
    mayImport: ['model', 'platform', 'toolkit', 'apps', 'search', 'brief', 'storage', 'indexing'],
    packages: ['zod', 'diff'],
  },
  {
    name: 'node',
    holds:
      "what needs a desktop's disk and processes: ports over a folder, servers, connections to AI apps and their checks, installing, Git, kept sessions; Node's modules are passed in",
    walls: 'sees no toolset, no search and no Obsidian',
    mayImport: [
      'model',
      'redaction',
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
    holds:
      'the command line: one table of arguments, one file per command, and what a hook of an AI app does',
    walls: 'sees no Obsidian',
    mayImport: PROGRAM_PARTS,
    packages: [],
  },
  {
    name: 'program',
    holds: 'the process as the host of a command, and the program that only runs hooks',
    walls: 'sees only `node` and `cli`',
    mayImport: ['node', 'cli'],
    packages: [],
  },
  {
    name: 'headless',
    holds: "the program's entry point",
    walls: 'nothing that it reaches sees Obsidian',
    mayImport: ['cli', 'program'],
    packages: [],
  },
  {
    name: 'obsidian',
    holds:
      'everything that a person sees in Obsidian, and what only these views need, one folder per feature',
    walls: 'does not see `node`, `bridge` or the command line',
    mayImport: [
      'model',
      'redaction',
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
    holds: 'what runs while the plugin is on: its servers, and what follows renamed notes',
    walls: 'the only folder that sees both Obsidian and `node`',
    mayImport: [...PROGRAM_PARTS, 'obsidian'],
    packages: ['obsidian'],
  },
  {
    name: 'main',
    holds: "the plugin's entry point",
    walls: 'nothing imports it',
    mayImport: ['toolkit', 'obsidian', 'plugin'],
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

/** Returns the list as a Markdown table. */
export function renderFolderTable() {
  const rows = folders.map(({ name, holds, walls, packages }) => [
    name,
    holds,
    walls,
    packages.map((pattern) => `\`${pattern}\``).join(', '),
  ]);
  const table = [['Folder', 'Holds', 'Walls', 'Packages'], ['---', '---', '---', '---'], ...rows];
  return table.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
