import { describe, expect, it } from 'vitest';
import type { Services } from '../../../../src/agents/services.js';
import { RULE_NAMES } from '../../../../src/agents/validation-manager/shared/findings.js';
import { validate } from '../../../../src/agents/validation-manager/shared/rules.js';
import { workspaceById } from '../../../../src/model/lookup.js';
import { DEFAULT_WORKSPACE } from '../../../../src/model/memory.js';
import type { Scheduler } from '../../../../src/platform/scheduler.js';
import { createTestVault, stateNamed } from '../../../fakes/test-vault.js';
import { createEagerScheduler } from '../../../fakes/eager-scheduler.js';

const NOTES = 40;

async function vaultWithNotes(scheduler?: Scheduler) {
  const vault = createTestVault();
  for (let at = 0; at < NOTES; at++)
    vault.files.put(`N/${at}.md`, `${'text\n'.repeat(600)}[[Missing ${at}]]`);
  for (let at = 0; at < 20; at++)
    await vault.data('createState', stateNamed(`State ${at}`, { activeFiles: [`N/${at}.md`] }));
  const { services } = vault.toolkit.host;
  const { search } = services;
  const paused: Services = {
    ...services,
    search: {
      ...search,
      access: { ...search.access, scheduler: scheduler ?? search.access.scheduler },
    } as Services['search'],
  };
  const memory = await vault.log.memory();
  return {
    services: paused,
    scope: {
      memory,
      workspace: workspaceById(memory, DEFAULT_WORKSPACE),
      path: undefined,
      signal: undefined,
    },
  };
}

describe('validate', () => {
  it('yields between notes, states and parts of a note', async () => {
    const { scheduler, turns } = createEagerScheduler();
    const { services, scope } = await vaultWithNotes(scheduler);
    const { findings, checked } = await validate(services, scope, RULE_NAMES, 1000);
    expect(findings).toHaveLength(NOTES);
    expect(checked).toEqual({ notes: NOTES, states: 20 });
    expect(turns()).toBeGreaterThan(NOTES * 2 + 20);
  });

  it('stops when the call is cancelled', async () => {
    const { services, scope } = await vaultWithNotes();
    const controller = new AbortController();
    const running = validate(services, { ...scope, signal: controller.signal }, RULE_NAMES, 100);
    controller.abort();
    await expect(running).rejects.toThrow('The call was cancelled. Nothing was changed.');
  });

  it('reads only what the rules need', async () => {
    const { services, scope } = await vaultWithNotes();
    expect((await validate(services, scope, ['lookAlikes'], 100)).checked).toEqual({
      notes: 0,
      states: 20,
    });
    expect((await validate(services, scope, ['logProblems'], 100)).checked).toEqual({
      notes: 0,
      states: 0,
    });
  });
});
