import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connect, temporaryFolder } from '../fakes/program.js';

it(
  'an app finds what is in odd notes, and is told which text is not searched',
  { timeout: 90_000 },
  async () => {
    const [vault, state] = [temporaryFolder(), temporaryFolder('state')];
    const put = (name: string, content: string | Uint8Array) =>
      writeFileSync(join(vault, `${name}.md`), content);
    put('Picture', `![](data:image/png;base64,${'iVBORw0KGgo+'.repeat(250_000)})\nA walrus.`);
    put('Broken', 'A\0 walrus.');
    put('Windows', Buffer.from('\ufeffA walrus.', 'utf16le'));
    put('Long', `${'Nothing.\n'.repeat(300_000)}A walrus.`);
    put('Old', Buffer.from('Здравствуйте, морж'.replace(/[а-яЗ]/gu, '\xe4'), 'latin1'));
    const { call } = await connect(vault, state, '--toolsets', 'all');
    const search = () => call('searchContent', { query: 'walrus', mode: 'keyword' });
    await expect.poll(search, { timeout: 60_000 }).not.toHaveProperty('indexState');
    const found = await search();
    const paths = (found as { data: { path: string }[] }).data.map(({ path }) => path);
    expect(paths.sort()).toEqual(['Broken.md', 'Long.md', 'Picture.md', 'Windows.md']);
    expect(found).toMatchObject({
      notice: 'Not searched for words: "Old.md" (not text in UTF-8 or UTF-16).',
    });
    expect(await call('indexStatus')).toMatchObject({
      data: { notSearched: [{ path: 'Old.md', reason: 'not text in UTF-8 or UTF-16' }] },
    });
  },
);
