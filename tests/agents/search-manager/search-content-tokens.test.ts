import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { createTestVault } from '../../fakes/test-vault.js';

/** What is left for the texts that apps put around an answer. */
const MAX_TOKENS = 950;

interface Row {
  readonly content: string;
  readonly also?: readonly string[];
}

/** Searches notes that have many sentences with the word. */
async function search(sentence: string, { count = 12, copies = 1, limit = 10 } = {}) {
  const vault = createTestVault();
  const folder = 'Projects/Renovation of the harbour office/Correspondence';
  for (let note = 0; note < count; note++) {
    const text = Array.from({ length: 30 }, (_, at) => `${sentence} ${note * 100 + at}.`).join(' ');
    for (let copy = 0; copy < copies; copy++)
      vault.files.put(
        `${folder} ${copy}/Letter ${note} to the harbour master.md`,
        `# Letter\n${text}`,
      );
  }
  const params = { query: 'crane', mode: 'keyword', limit };
  const answer = (await vault.call('searchContent', params)) as { readonly data: readonly Row[] };
  return { rows: answer.data, tokens: encode(JSON.stringify(answer)).length };
}

const ENGLISH = 'The crane at pier four has to be inspected before the winter storms begin';

describe('the tokens of found notes', () => {
  it.each([
    ['English', ENGLISH],
    ['German', 'Der crane am Pier vier muss vor den Winterstürmen überprüft werden, Nummer'],
    ['Russian', 'Портовый crane на четвёртом пирсе надо проверить до зимних штормов, номер'],
    ['Chinese', '四号码头的 crane 必须在冬季风暴来临之前完成检查和维护工作'],
    ['quoted', 'The "crane" \\ "pier" has "many" {"keys": ["a"]} and `code`'],
  ])('are at most 1,000 for ten, with an app: %s', async (_, sentence) => {
    const { rows, tokens } = await search(sentence);
    expect(rows).toHaveLength(10);
    expect(tokens).toBeLessThanOrEqual(MAX_TOKENS);
    for (const { content } of rows) expect(content).toContain('crane');
  });

  it('are left for names of similar notes', async () => {
    const { rows, tokens } = await search(ENGLISH, { copies: 5 });
    expect(rows).toHaveLength(10);
    expect(tokens).toBeLessThanOrEqual(MAX_TOKENS);
    expect(rows.flatMap(({ also = [] }) => also)).not.toHaveLength(0);
    const few = await search(ENGLISH, { count: 2, copies: 5 });
    expect(few.rows.map(({ also }) => also?.length)).toEqual([4, 4]);
  });

  it('are not saved where fewer notes are found', async () => {
    const [first, ...others] = (await search(ENGLISH, { count: 3 })).rows;
    expect(first?.content.length).toBeGreaterThan(350);
    for (const { content } of others) expect(content.length).toBeGreaterThan(150);
  });
});
