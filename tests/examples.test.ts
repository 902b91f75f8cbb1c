import { describe, expect, it } from 'vitest';
import { allTools } from '../src/toolkit/toolkit.js';
import { createTestVault } from './fakes/test-vault.js';

describe('every example in a tool file', () => {
  for (const { toolset, tool } of allTools(createTestVault().toolkit)) {
    for (const example of tool.examples) {
      it(`${toolset.name}.${tool.name}: ${example.title}`, async () => {
        const vault = createTestVault();
        for (const [path, text] of Object.entries(example.notes ?? {})) vault.files.put(path, text);
        for (const { tool: name, params } of example.before ?? []) await vault.data(name, params);
        const answer = await vault.call(tool.name, example.params);
        expect(answer).toMatchObject(example.answer);
        expect(vault.reports).toEqual([]);
        if (tool.output && answer.success)
          expect(tool.output.safeParse(answer.data).error).toBeUndefined();
        const { workspace: _, notice: _notice, ...rest } = answer;
        if (!tool.output && !tool.isRelay && answer.success)
          expect(rest).toEqual({ success: true });
      });
    }
  }
});
