import { describe, expect, it } from 'vitest';
import { createIndex } from '../../../src/search/index.js';
import { datedDocument } from '../../../src/indexing/memory/memory-documents.js';

/** Returns the scores of documents, by key. */
function scoresOf(
  memories: Readonly<Record<string, { own: string; neighbour: string }>>,
): Readonly<Record<string, number>> {
  const index = createIndex();
  for (const [key, { own, neighbour }] of Object.entries(memories)) {
    index.put(
      datedDocument(
        key,
        '2026-11-20T10:00:00.000Z',
        [{ name: 'text', text: own, weight: 1 }],
        [neighbour],
        [],
      ),
    );
  }
  return Object.fromEntries(index.search('roses wall').map(({ key, score }) => [key, score]));
}

describe('proximity', () => {
  it('ranks a text with adjacent words higher', () => {
    const { near, far } = scoresOf({
      near: { own: 'roses wall door garden', neighbour: 'oak' },
      far: { own: 'roses door garden wall', neighbour: 'oak' },
    });
    expect(near).toBeGreaterThan(far!);
  });

  it('counts alike for each of hundreds with as many of the words', () => {
    const texts = Array.from({ length: 600 }, (_, at) => [`far ${at}`, 'roses door garden wall']);
    const index = createIndex();
    for (const [key, text] of [...texts, ['near', 'roses wall door garden']] as [string, string][])
      index.put(
        datedDocument(key, '2026-11-20T10:00:00.000Z', [{ name: 'text', text, weight: 1 }], [], []),
      );
    const [first, ...others] = index.search('roses wall', { limit: 1000 });
    expect(first?.key).toBe('near');
    expect(others).toHaveLength(600);
    expect(new Set(others.map(({ score }) => score)).size).toBe(1);
  });

  it('ignores neighboring calls', () => {
    const { near, far } = scoresOf({
      near: { own: 'oak', neighbour: 'roses wall door garden' },
      far: { own: 'oak', neighbour: 'roses door garden wall' },
    });
    expect(near).toBe(far);
  });

  it('ranks the clause that is searched for above a longer one', () => {
    const index = createIndex();
    const put = (key: string, text: string) => {
      index.put(
        datedDocument(key, '2026-11-20T10:00:00.000Z', [{ name: 'text', text, weight: 1 }], [], []),
      );
    };
    put('longer', '可以转换字符串的值');
    put('clause', '还可以按照格式要求转换字符串');
    put('other', '别的字串');
    expect(index.search('转换字符串').map(({ key }) => key)).toEqual(['clause', 'longer']);
    expect(index.search('磁盘串')).toEqual([]);
  });

  it('ranks a whole clause above the end of one, and that above its start', () => {
    const index = createIndex();
    const put = (key: string, text: string) => {
      const texts = [{ name: 'text', text, weight: 1 }];
      index.put(datedDocument(key, '2026-11-20T10:00:00.000Z', texts, [], []));
    };
    put('end', '文件很多还有删除变量');
    put('whole', '文件很多，删除变量');
    put('start', '文件很多，删除一个，变量');
    const found = index.search('删除变量');
    expect(found.map(({ key }) => key)).toEqual(['whole', 'end', 'start']);
  });
});
