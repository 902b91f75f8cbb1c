import { expect, it } from 'vitest';
import { RULE_NAMES } from '../../../src/agents/validation-manager/shared/findings.js';
import { createTestVault } from '../../fakes/test-vault.js';

interface Row {
  rule: string;
  scopes: string[];
}

it('listValidationRules lists every rule with the scopes that accept it', async () => {
  const vault = createTestVault();
  vault.files.put('A.md', 'Text.');
  const rows = (await vault.data('listValidationRules')) as Row[];
  expect(rows.map(({ rule }) => rule)).toEqual(RULE_NAMES);
  for (const { rule, scopes } of rows) {
    expect(await vault.data('validateWorkspace', { rules: [rule] })).toHaveProperty('findings', []);
    const ofFile = await vault.call('validateWorkspace', {
      rules: [rule],
      scope: 'file',
      path: 'A.md',
    });
    expect(ofFile.success).toBe(scopes.includes('file'));
  }
});
