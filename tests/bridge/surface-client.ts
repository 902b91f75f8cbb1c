import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHttpHandler } from '../../src/bridge/mcp-server.js';
import { callTool } from '../../src/toolkit/call-tool.js';
import type { Surface } from '../../src/toolkit/surfaces.js';
import { createTestVault, type TestVault } from '../fakes/test-vault.js';

const open: { close(): Promise<unknown> }[] = [];

/** Closes every client and its server; for `afterEach`. */
export async function closeClients(): Promise<void> {
  for (const each of open.splice(0).reverse()) await each.close();
}

/**
 * Creates a vault and a real client on a surface. The same calls result in the same vault on each.
 */
export async function openOn(
  surface: Surface,
  texts: { readonly vaultName?: string; readonly state?: string; readonly brief?: string } = {},
): Promise<{ vault: TestVault; client: Client; surface: Surface }> {
  const vault = createTestVault();
  vault.files.put('Garden/Beds.md', '# Beds\nThree beds by the wall. #todo\n');
  const mcp = createMcpHttpHandler(vault.toolkit, {
    version: '1',
    vaultName: texts.vaultName ?? 'Test',
    surface,
    toolsets: undefined,
    after: () => () => undefined,
    report: (error) => vault.reports.push(error),
    stateText: () => Promise.resolve(texts.state ?? ''),
    briefText: () => Promise.resolve(texts.brief ?? ''),
    call: (request, signal) => callTool(vault.toolkit, { ...request, signal }),
  });
  const client = new Client({ name: 'same-answers', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
    async fetch(address, init) {
      const request = new Request(address, init);
      const body: unknown = request.method === 'POST' ? await request.clone().json() : undefined;
      return mcp.handle(request, body, { name: 'same-answers', sessionId: 'session' });
    },
  });
  await client.connect(transport);
  open.push(mcp, client);
  return { vault, client, surface };
}
