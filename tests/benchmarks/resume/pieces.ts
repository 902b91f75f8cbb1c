import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { inFolder, perForm, type Figure } from '../lib.js';
import { ourCommand, serverMemoryCommand, withServer, type Connected } from '../peers.js';
import {
  contains,
  entitiesOf,
  Meter,
  readMaterial,
  textsOf,
  tokensIn,
  type Save,
  type WorkspaceParams,
} from './material.js';

interface Fact {
  readonly question: string;
  readonly answer: string;
}

interface Material {
  readonly workspaces: readonly WorkspaceParams[];
  readonly pieces: readonly (Save & { readonly facts: readonly Fact[] })[];
}

/** Number of pieces for which the number of calls is bounded. */
const BOUNDED_PIECES = 6;
const MAX_CALLS = 8;
/** Bounds on the tokens of `loadState`, relative to the texts that were saved, and of a row. */
const MAX_COST = 1.1;
const MAX_EXTRA_TOKENS = 60;
const MAX_ROW_TOKENS = 75;

/** Saves pieces of work and loads each by `listStates` and `loadState` alone. */
export async function measurePieces(): Promise<Figure[]> {
  const { workspaces, pieces } = await readMaterial<Material>('pieces.json');
  const saved = pieces.slice(0, perForm(pieces.length, 2));
  const facts = saved.flatMap((piece) => piece.facts);
  const ours = await inFolder(async (folder) => {
    await fs.mkdir(path.join(folder, 'vault'));
    await withServer(ourCommand(folder), (server) => savePieces(server, workspaces, saved));
    return withServer(ourCommand(folder), (server) => loadPieces(server, saved));
  });
  const theirs = await inFolder((folder) =>
    withServer(serverMemoryCommand(folder), async (server) => {
      await server.call('create_entities', { entities: entitiesOf(saved) });
      const meter = new Meter(server);
      const text = await meter.call('read_graph', {});
      return { text, calls: meter.calls, tokens: meter.tokens };
    }),
  );
  const factsIn = (text: string) => facts.filter(({ answer }) => contains(text, answer)).length;
  const among = `${saved.length} pieces of work, ${facts.length} facts`;
  return [
    {
      what: `${among}: facts in the answers`,
      value: factsIn(ours.text),
      least: facts.length,
      isHighlighted: true,
    },
    { what: `${among}: facts, server-memory`, value: factsIn(theirs.text) },
    { what: `calls to load the first ${BOUNDED_PIECES}`, value: ours.firstCalls, limit: MAX_CALLS },
    { what: 'calls to load all', value: ours.calls },
    { what: 'calls, server-memory', value: theirs.calls },
    { what: 'tokens read', value: ours.tokens, unit: ' tokens' },
    { what: 'tokens read, server-memory', value: theirs.tokens, unit: ' tokens' },
    {
      what: `tokens of loadState beyond ${MAX_COST} times the saved texts, the most`,
      value: ours.mostExtra,
      unit: ' tokens',
      limit: MAX_EXTRA_TOKENS,
    },
    {
      what: 'tokens of a row of listStates, the most',
      value: ours.mostPerRow,
      unit: ' tokens',
      limit: MAX_ROW_TOKENS,
    },
  ];
}

async function savePieces(
  { call }: Connected,
  workspaces: readonly WorkspaceParams[],
  pieces: readonly Save[],
): Promise<void> {
  for (const workspace of workspaces) await call('createWorkspace', { ...workspace });
  for (const { workspace, state, piece } of pieces)
    await call('createState', { ...state, context: { workspaceId: workspace, sessionId: piece } });
}

async function loadPieces(server: Connected, pieces: readonly Save[]) {
  const meter = new Meter(server);
  const texts: string[] = [];
  const listed = new Set<string>();
  let [firstCalls, mostExtra, mostPerRow] = [0, -Infinity, 0];
  for (const [at, { workspace, state }] of pieces.entries()) {
    const context = { workspaceId: workspace };
    if (!listed.has(workspace)) {
      listed.add(workspace);
      const list = await meter.call('listStates', { context });
      texts.push(list);
      const { data } = JSON.parse(list) as { data: unknown[] };
      for (const row of data) mostPerRow = Math.max(mostPerRow, tokensIn(JSON.stringify(row)));
    }
    const text = await meter.call('loadState', { name: state.name, context });
    texts.push(text);
    const saved = tokensIn(textsOf(state).join('\n'));
    mostExtra = Math.max(mostExtra, tokensIn(text) - MAX_COST * saved);
    if (at < BOUNDED_PIECES) firstCalls = meter.calls;
  }
  const { calls, tokens } = meter;
  return { text: texts.join('\n'), calls, tokens, firstCalls, mostExtra, mostPerRow };
}
