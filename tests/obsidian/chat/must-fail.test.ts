import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/model/event.js';
import { DEFAULT_WORKSPACE, emptyMemory } from '../../../src/model/memory.js';
import { mustFail } from '../../../src/obsidian/chat/must-fail.js';
import { allTools } from '../../../src/toolkit/toolkit.js';
import { createTestVault } from '../../fakes/test-vault.js';

const writing = allTools(createTestVault().toolkit)
  .map(({ tool }) => tool)
  .filter(({ access }) => access !== 'read');
const fails = (tool: string, params: object | string) => {
  const found = writing.find(({ name }) => name === tool);
  if (!found) throw new Error(`No writing tool ${tool}`);
  return mustFail(
    emptyMemory,
    DEFAULT_WORKSPACE,
    found,
    JSON.parse(JSON.stringify(params)) as Json,
  );
};

describe('a call that must fail', () => {
  it('is none of the examples that succeed', () => {
    const calls = writing.flatMap(({ name, examples }) =>
      examples
        .filter(({ answer }) => answer['success'])
        .map(({ params }) => [name, params] as const),
    );
    expect(calls.length).toBeGreaterThan(5);
    expect(calls.filter(([name, params]) => fails(name, params))).toEqual([]);
  });

  it('lacks a parameter or has one of the wrong kind', () => {
    expect(fails('createWorkspace', {})).toBe(true);
    expect(fails('createWorkspace', { name: 5 })).toBe(true);
    expect(fails('archiveState', 'Beds')).toBe(true);
  });

  it('takes a name that is there', () => {
    expect(fails('createWorkspace', { name: 'default', description: 'a', rootFolder: 'b' })).toBe(
      true,
    );
  });
});
