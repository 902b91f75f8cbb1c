import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createTokenVerifier,
  createTokenFile,
  readTokens,
  removeToken,
  renewToken,
} from '../../../src/node/serve/http-tokens.js';
import { createFolder, node } from '../folders.js';

const [A, B] = ['a'.repeat(64), 'b'.repeat(64)];

function fileWith(text: string): string {
  const file = join(createFolder(), 'http-tokens');
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

describe('a token', () => {
  it('is created once, and stays the same at the next start', async () => {
    const file = join(createFolder(), 'own', 'http-tokens');
    await createTokenFile(node, file);
    const [made] = await readTokens(node, file);
    await createTokenFile(node, file);
    expect(await readTokens(node, file)).toEqual([made]);
    expect(made).toMatchObject({
      client: 'default',
      token: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
  });

  it('is renewed in place, and all other bytes stay', async () => {
    const file = fileWith(`# mine\r\none ${A}\n\n  two   ${B}\r\n# end`);
    await renewToken(node, file, 'one');
    expect(readFileSync(file, 'utf8')).toMatch(
      /^# mine\r\none [0-9a-f]{64}\n\n {2}two {3}b{64}\r\n# end$/,
    );
    const check = createTokenVerifier(node, file);
    expect(await Promise.all([check(A), check(B)])).toEqual([undefined, 'two']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is added at the end for a new client, and removed again', async () => {
    const before = `one ${A}`;
    const file = fileWith(before);
    await renewToken(node, file, 'two');
    expect((await readTokens(node, file)).map(({ client }) => client)).toEqual(['one', 'two']);
    await removeToken(node, file, 'two');
    expect(readFileSync(file, 'utf8')).toBe(`${before}\n`);
    await removeToken(node, file, 'none');
    expect(await readTokens(node, file)).toEqual([{ client: 'one', token: A }]);
  });

  it.each(['', 'two words', '#one', 'x'.repeat(101), 'a\nb'])(
    'is refused for the client name %j',
    async (name) => {
      const file = fileWith(`one ${A}\n`);
      await expect(renewToken(node, file, name)).rejects.toThrow('Choose another name.');
      expect(readFileSync(file, 'utf8')).toBe(`one ${A}\n`);
    },
  );

  it('is never written to a malformed file, or one that others may read', async () => {
    const shared = fileWith(`one ${A}\n`);
    chmodSync(shared, 0o644);
    await expect(renewToken(node, shared, 'one')).rejects.toThrow('Others may read');
    const broken = fileWith(`one ${A}\noops\n`);
    await expect(renewToken(node, broken, 'one')).rejects.toThrow('Line 2');
    expect(readFileSync(broken, 'utf8')).toBe(`one ${A}\noops\n`);
  });
});
