import { describe, expect, it } from 'vitest';
import { createTestVault, garden, stateNamed } from '../../fakes/test-vault.js';

describe('analyzeWorkspace', () => {
  it('counts findings per rule, most severe first', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', { ...garden, keyFiles: ['Garden/Gone.md'] });
    vault.files.put(
      'Garden/Many.md',
      Array.from({ length: 30 }, (_, at) => `[[Missing ${at}]]`).join('\n'),
    );
    await vault.data('createState', stateNamed('One', { activeFiles: ['Garden/Lost.md'] }));
    const analysis = await vault.data('analyzeWorkspace');
    expect(analysis).toMatchObject({
      findings: 32,
      rules: [
        { rule: 'missingFiles', count: 2 },
        { rule: 'brokenLinks', count: 30 },
      ],
      checked: { notes: 1, states: 1 },
    });
    const { fixFirst } = analysis as { fixFirst: { severity: string; where: string }[] };
    expect(fixFirst).toHaveLength(5);
    expect(fixFirst[0]).toMatchObject({ severity: 'warning', where: 'Garden/Gone.md' });
    expect(fixFirst.map(({ severity }) => severity)).not.toContain('info');
  });

  it('finds nothing in an empty vault', async () => {
    const vault = createTestVault();
    expect(await vault.data('analyzeWorkspace')).toEqual({
      findings: 0,
      rules: [],
      fixFirst: [],
      checked: { notes: 0, states: 0 },
    });
  });
});
