import { describe, expect, it } from 'vitest';
import { allTools } from '../../../src/toolkit/toolkit.js';
import { runProgram } from '../../fakes/program.js';
import { createTestVault } from '../../fakes/test-vault.js';
import { firstWords } from '../program-folders.js';
import { inFull } from '../../tier.js';

const testInFull = it.runIf(inFull('tools of a surface'));

describe('tools', () => {
  it('lists every tool as text and as JSON', async () => {
    const all = allTools(createTestVault().toolkit).map(({ tool }) => tool.name);
    expect(firstWords((await runProgram(['tools'])).stdout)).toEqual(all);
    const facts = JSON.parse((await runProgram(['tools', '--json'])).stdout) as {
      name: string;
      failures: unknown;
      examples: unknown[];
    }[];
    expect(facts.map(({ name }) => name)).toContain('createState');
    for (const { examples } of facts) expect(examples.length).toBeGreaterThan(0);
  });

  testInFull('lists the tools of a surface, and of given toolsets', async () => {
    expect(firstWords((await runProgram(['tools', '--surface', 'compact'])).stdout)).toEqual([
      'getTools',
      'useTools',
    ]);
    const { stdout } = await runProgram([
      'tools',
      '--surface',
      'actions',
      '--toolsets',
      'storage',
      '--json',
    ]);
    const listed = JSON.parse(stdout) as { name: string; inputSchema: { required: string[] } }[];
    expect(listed.map(({ name }) => name)).toEqual([
      'workspace',
      'state',
      'memory',
      'search',
      'storage',
    ]);
    for (const { inputSchema } of listed) expect(inputSchema.required[0]).toBe('action');
    expect(firstWords((await runProgram(['tools', '--surface', 'full'])).stdout)).not.toContain(
      'workspaceStorageList',
    );
    expect(firstWords((await runProgram(['tools', '--toolsets', 'none'])).stdout)).not.toContain(
      'workspaceStorageList',
    );
  });
});
