import { expect, it } from 'vitest';
import { createSavingCallFilter } from '../../../src/obsidian/calls/saving-calls.js';
import { statesAt } from '../memory/memories.js';

it('the call that saved a listed state is left out', async () => {
  const states = await statesAt(10);
  const { name } = states[0]!.item;
  const saving = {
    tool: 'createState',
    input: `{"name":${JSON.stringify(name)},"tags":[`,
    isSuccess: true,
  };
  const failed = { ...saving, isSuccess: false };
  const other = { tool: 'createState', input: '{"name":"Shed"}', isSuccess: true };
  expect(createSavingCallFilter(states)([saving, failed, other])).toEqual([failed, other]);
});
