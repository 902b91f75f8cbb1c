import { Refusal } from '../../model/refusal.js';
import type { NodeModules } from '../modules.js';
import { replaceFile } from '../ports/draft-folder.js';
import { assertPrivate } from '../ports/private-files.js';
import { isCreated } from '../system-errors.js';

/** A name, and 256 random bits as hexadecimal digits. */
const TOKEN_LINE = /^(\S{1,100})\s+([0-9a-f]{64})$/;

export const TOKEN_BYTES = 32;
const FILE_HEADER = `# One client per line: a name of your choice, and its token of 64 hexadecimal digits (for example from: openssl rand -hex 32).
# A client sends its token as "Authorization: Bearer TOKEN". Removing a line revokes that client's access at once.
`;

/** Creates a missing file with a token for one client. Throws the same errors as `readTokens`. */
export async function createTokenFile(node: NodeModules, file: string): Promise<void> {
  const { fs, path } = node;
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const text = `${FILE_HEADER}${createLine(node, 'default')}\n`;
  await isCreated(fs.writeFile(file, text, { mode: 0o600, flag: 'wx' }));
  await readTokens(node, file);
}

/**
 * Returns a function that finds the client of a token. Changes to the file apply immediately.
 * Tokens are compared in constant time, so that timing reveals nothing. Rejects with a `Refusal` if
 * the file is not private to this user, or is malformed.
 */
export function createTokenVerifier(
  node: NodeModules,
  file: string,
): (token: string) => Promise<string | undefined> {
  const digest = (text: string) => node.crypto.createHash('sha256').update(text).digest();
  let cached = { version: '', clients: [] as { client: string; digest: Uint8Array }[] };
  return async (token) => {
    const { mtimeMs, ctimeMs, size, ino } = await assertPrivate(node, file);
    const version = [mtimeMs, ctimeMs, size, ino].join(' ');
    if (version !== cached.version) {
      const tokens = await readTokens(node, file);
      cached = {
        version,
        clients: tokens.map((each) => ({ client: each.client, digest: digest(each.token) })),
      };
    }
    const given = digest(token);
    const equal = cached.clients.filter((each) => node.crypto.timingSafeEqual(each.digest, given));
    return equal[0]?.client;
  };
}

/** Gives a client a new token, which revokes its old one. The rest of the file stays unchanged. */
export async function renewToken(node: NodeModules, file: string, client: string): Promise<void> {
  await changeLines(node, file, client, createLine(node, client));
}

/** Removes a client, which revokes its token. */
export async function removeToken(node: NodeModules, file: string, client: string): Promise<void> {
  await changeLines(node, file, client, undefined);
}

function createLine({ crypto }: NodeModules, client: string): string {
  const line = `${client} ${crypto.randomBytes(TOKEN_BYTES).toString('hex')}`;
  if (!TOKEN_LINE.test(line) || client.startsWith('#'))
    throw new Refusal(
      'A client name is one word of up to 100 characters, such as "laptop-agent". Choose another name.',
    );
  return line;
}

/** Replaces a client's line, or adds it at the end; removes it if `line` is undefined. */
async function changeLines(
  node: NodeModules,
  file: string,
  client: string,
  line: string | undefined,
): Promise<void> {
  const { fs } = node;
  await readTokens(node, file); // a malformed file is not overwritten
  const lines = (await fs.readFile(file, 'utf8')).match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const isOf = (text: string) => TOKEN_LINE.exec(text.trim())?.[1] === client;
  const at = lines.findIndex(isOf);
  const end = lines.at(-1)?.endsWith('\n') === false ? '\n' : '';
  const kept = lines.flatMap((text, index) => {
    if (!isOf(text)) return [text];
    return index === at && line !== undefined ? [`${line}\n`] : [];
  });
  const added = at < 0 && line !== undefined ? [`${end}${line}\n`] : [];
  await replaceFile(node, file, [...kept, ...added].join(''));
}

/** Throws a `Refusal` if the file does not belong to this user alone, or is malformed. */
export async function readTokens(
  node: NodeModules,
  file: string,
): Promise<{ client: string; token: string }[]> {
  await assertPrivate(node, file);
  const lines = (await node.fs.readFile(file, 'utf8')).split(/\r?\n/);
  return lines.flatMap((line, at) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const [, client, token] = TOKEN_LINE.exec(line.trim()) ?? [];
    if (client === undefined || token === undefined)
      throw new Refusal(
        `Line ${at + 1} of "${file}" is not a name and a token of 64 hexadecimal digits. Correct or remove it.`,
      );
    return [{ client, token }];
  });
}
