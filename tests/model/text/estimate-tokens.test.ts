import { readFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { listTools } from '../../../src/bridge/mcp-tools.js';
import { estimateTokens, estimateToolTokens } from '../../../src/model/text/estimate-tokens.js';
import { createTestVault } from '../../fakes/test-vault.js';

const { toolkit } = createTestVault();

const SAMPLES = {
  prose: readFileSync('DESIGN.md', 'utf8'),
  code: readFileSync('src/model/memory.ts', 'utf8'),
  german: readFileSync('src/obsidian/i18n/de/commands.ts', 'utf8'),
  chinese: '我们决定使用数据库来存储所有的笔记，因为它更快也更可靠。'.repeat(20),
  russian: 'Мы решили хранить заметки в базе данных, потому что это быстрее и надёжнее. '.repeat(
    20,
  ),
  emoji: '🌳 tree 🚀 ship 👩‍💻 '.repeat(20),
  arabic: 'قررنا استخدام محرك البحث الجديد لأنه أسرع وأكثر موثوقية. '.repeat(20),
  hindi: 'हमने नया खोज इंजन उपयोग करने का निर्णय लिया क्योंकि यह तेज़ है। '.repeat(20),
  korean: '우리는 새로운 검색 엔진을 사용하기로 결정했습니다. '.repeat(20),
  json: JSON.stringify({ name: 'Plan', files: ['src/a.ts', 'b.md'], n: 123456 }).repeat(20),
};

describe('estimateTokens', () => {
  it.each(Object.entries(SAMPLES))(
    'is neither below the tokens of %s nor twice as many',
    (_, text) => {
      const actual = encode(text).length;
      expect(estimateTokens(text)).toBeGreaterThanOrEqual(actual);
      expect(estimateTokens(text)).toBeLessThan(actual * 2);
    },
  );

  it('is at most the sum of its parts', () => {
    const { prose } = SAMPLES;
    const lines = prose.split('\n');
    const sum = lines.reduce((total, line) => total + estimateTokens(line) + 1, 0);
    expect(estimateTokens(prose)).toBeLessThanOrEqual(sum);
    expect(estimateTokens('')).toBe(0);
  });
});

describe('estimateToolTokens', () => {
  it.each([
    ['full', []],
    ['full', undefined],
    ['actions', undefined],
    ['compact', undefined],
  ] as const)('is within a tenth of the tokens of the surface %s with %j', (surface, enabled) => {
    const tools = listTools(toolkit, surface, enabled).map(
      ({ name, description, inputSchema }) => ({ name, description, inputSchema }),
    );
    const actual = encode(JSON.stringify(tools)).length;
    expect(Math.abs(estimateToolTokens(tools) / actual - 1)).toBeLessThan(0.1);
  });
});
