import { describe, expect, it } from 'vitest';
import { allTools } from '../../../src/toolkit/toolkit.js';
import { createTestVault } from '../../fakes/test-vault.js';

describe('getTools', () => {
  it('lists every callable tool, one line each', async () => {
    const rows = (await createTestVault().data('getTools', {})) as {
      agent: string;
      tool: string;
      description: string;
      inputSchema?: unknown;
    }[];
    const all = allTools(createTestVault().toolkit).flatMap(({ tool }) =>
      tool.isRelay ? [] : [tool.name],
    );
    expect(rows.map(({ tool }) => tool)).toEqual(all);
    expect(rows[0]).toEqual({
      agent: 'memoryManager',
      tool: 'createWorkspace',
      description: 'Create a workspace and switch this session to it.',
    });
  });

  it('returns the schemas of named tools, without the context parameter', async () => {
    const rows = await createTestVault().data('getTools', { tools: ['loadState', 'searchMemory'] });
    expect(rows).toMatchObject([
      { tool: 'loadState', inputSchema: { type: 'object' } },
      { tool: 'searchMemory' },
    ]);
    expect(JSON.stringify(rows)).not.toContain('"context"');
  });

  it('omits toolsets that are disabled for the caller', async () => {
    const vault = createTestVault();
    const given = async (toolsets: string[]) => {
      const { data } = await vault.call('getTools', {}, { defaults: { sessionId: 's', toolsets } });
      return [...new Set((data as { agent: string }[]).map(({ agent }) => agent))];
    };
    expect(await given([])).toEqual(['memoryManager', 'searchManager']);
    expect(await given(['storage'])).toEqual(['memoryManager', 'searchManager', 'storageManager']);
  });

  it('refuses an unknown name, and suggests the closest', async () => {
    expect(await createTestVault().error('getTools', { tools: ['lodState'] })).toBe(
      'Tool "lodState" does not exist. Use getTools without names to list all tools. Did you mean "loadState"?',
    );
  });
});
