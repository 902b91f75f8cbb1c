import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startModelServer, type ModelServer } from './model-server.js';
import {
  availableClients,
  createPackagedHome,
  STATE,
  STATE_TASK,
  type PackagedHome,
} from './packaged-clients.js';

const SETUP_TIMEOUT_MS = 30 * 60_000;

describe.skipIf(process.platform === 'win32').each(availableClients())(
  'the package for $id $version',
  (client) => {
    const isSkipped = 'problem' in client;
    let server: ModelServer;
    let home: PackagedHome;

    beforeAll(async () => {
      if (isSkipped) return;
      server = await startModelServer();
      home = await createPackagedHome([client], server.url);
    }, SETUP_TIMEOUT_MS);

    afterAll(() => server?.close());

    it.skipIf(isSkipped || !client.validate)("passes the vendor's own validator", async () => {
      const folder = join(home.packages, client.folder);
      const { args = [], answer } = client.validate?.(folder) ?? {};
      const { code, stdout, stderr } = await home.run(client, args);
      expect({ code, stderr, stdout }).toMatchObject({ code: 0 });
      expect(stdout + stderr).toMatch(answer ?? '');
    });

    it.skipIf(isSkipped)('is installed, and the client lists what is in it', async () => {
      expect(home.results.filter(({ code }) => code !== 0)).toEqual([]);
      let output = '';
      for (const args of client.show) {
        const { stdout, stderr } = await home.run(client, args);
        output += stdout + stderr;
      }
      for (const pattern of client.shown) expect(output).toMatch(pattern);
    });

    it.skipIf(isSkipped)('gives a session the brief and the tools', async () => {
      server.script([{ tool: 'listStates', args: {} }, { text: 'That is all.' }]);
      const [first = '', ...rest] = client.start('Go on.');
      const run = await home.run(client, [first, ...client.trust, ...rest]);
      expect({ ...run, problems: server.problems }).toMatchObject({ code: 0, problems: [] });
      expect(server.requests[0]?.text).toContain(STATE_TASK);
      const last = server.requests.at(-1);
      expect(last?.results.at(-1)).toContain(STATE);
      for (const tool of ['createState', 'createRecord'])
        expect(last?.tools.some((name) => name.endsWith(tool))).toBe(true);
    });

    it.skipIf(isSkipped)('records the session of the linked project', () => {
      const sessions = join(home.home, '.local/state/savepoint/capture/sessions');
      const files = readdirSync(sessions, { recursive: true, encoding: 'utf8' });
      expect(files.filter((name) => name.endsWith('.json'))).toHaveLength(1);
    });
  },
);
