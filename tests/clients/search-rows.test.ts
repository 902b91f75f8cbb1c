import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PROGRAM } from '../fakes/program.js';
import { createFolder } from '../node/folders.js';
import { isNightly } from '../tier.js';
import { installClient } from './install-client.js';
import { startModelServer } from './model-server.js';
import { createHome, REAL_CLIENTS, runClient } from './real-clients.js';

const NOTES = fileURLToPath(new URL('../../docs/guide', import.meta.url));
const HITS = 10;
const MAX_TOKENS = 1000;
const TIMEOUT_MS = 30 * 60_000;
/** By words, because search by meaning may not be ready yet in one of two processes. */
const SEARCH = { query: 'what does an agent see of the vault', rootFolder: '/', mode: 'keyword' };

interface Row {
  readonly path: string;
  readonly content: string;
}

const clients = REAL_CLIENTS.map((client) => ({
  ...client,
  ...(isNightly ? installClient(client.npmPackage) : { problem: 'not asked for' }),
}));
for (const client of isNightly ? clients : [])
  if ('problem' in client) console.warn(`Skipped: ${client.problem}`);

/** Lets the client's model search the guide. Returns the rows found, and what the model is sent. */
async function search(client: (typeof REAL_CLIENTS)[number], bin: string) {
  const server = await startModelServer();
  try {
    const folder = createFolder();
    const home = createHome(folder, client, bin, server.url);
    cpSync(NOTES, home.vault, { recursive: true });
    const run = (...args: string[]) =>
      runClient(
        process.execPath,
        [PROGRAM, ...args, '--vault', home.vault],
        home.project,
        home.env,
      );
    if (!client.isConnectedByHand)
      expect(await run('connect', client.id)).toMatchObject({ code: 0 });
    client.configure?.(folder, server.url);
    server.script([{ tool: 'searchContent', args: SEARCH }, { text: 'That is all.' }]);
    const ended = await runClient(client.program, client.start('Search.'), home.project, home.env);
    expect({ ...ended, problems: server.problems }).toMatchObject({ code: 0, problems: [] });
    const { stdout } = await run('call', 'searchContent', '--json', JSON.stringify(SEARCH));
    const { data } = JSON.parse(stdout) as { readonly data: readonly Row[] };
    return { rows: data, sent: server.requests.at(-1)?.results.at(-1) ?? '' };
  } finally {
    await server.close();
  }
}

/** Returns the text as it is in JSON, and in JSON within JSON. */
const forms = (text: string) => {
  const inJson = JSON.stringify(text).slice(1, -1);
  return [inJson, JSON.stringify(inJson).slice(1, -1)];
};
const timesIn = (sent: string, text: string) =>
  Math.max(...forms(text).map((form) => sent.split(form).length - 1));

describe.skipIf(process.platform === 'win32').each(clients)('$id $version', (client) => {
  it.skipIf('problem' in client)(
    'shows its model each found note once, ten of them for 1,000 tokens',
    async () => {
      const { rows, sent } = await search(client, 'bin' in client ? client.bin : '');
      expect(rows).toHaveLength(HITS);
      for (const { path, content } of rows)
        expect([path, timesIn(sent, content)]).toEqual([path, 1]);
      const tokens = encode(sent).length;
      console.log(`${client.id}: ${sent.length} characters, ${tokens} tokens`);
      expect(tokens).toBeLessThanOrEqual(MAX_TOKENS);
    },
    TIMEOUT_MS,
  );
});
