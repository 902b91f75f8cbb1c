import { expect, it } from 'vitest';
import { shellLinesOf } from '../../scripts/walk-pages.mjs';

it('the walk reads the shell lines of a page, in lists too, without their comments', () => {
  const text =
    '```sh\nnpm ci # first\n\nnode main.js\n```\n\n   ```sh\n   npm test\n   ```\n```text\nno\n```\n';
  expect(shellLinesOf(text)).toEqual(['npm ci', 'node main.js', 'npm test']);
});
