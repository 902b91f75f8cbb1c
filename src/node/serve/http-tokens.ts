import { Refusal } from '../../model/refusal.js';
import { errorCode, type NodeModules } from '../modules.js';
import { checkIsOwn } from '../ports/own-files.js';

type Modules = Pick<NodeModules, 'fs' | 'path' | 'os' | 'crypto'>;

/** A name, and 256 random bits as hexadecimal digits. */
const LINE = /^(\S{1,100})\s+([0-9a-f]{64})$/;

const HEAD = `# One client a line: a name of your choosing, and its token of 64 hexadecimal digits (such as from: openssl rand -hex 32).
# A client sends its token as "Authorization: Bearer TOKEN". Take a line out, and that client is refused at once.
`;

/** Makes the file with a token for one client, where there is no such file. Throws a `Refusal` where it is not this user's alone. */
export async function makeTokenFile(node: Modules, file: string): Promise<void> {
  const { fs, path } = node;
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    await fs.writeFile(file, `${HEAD}${newLine(node, 'default')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  await readTokens(node, file);
}

/**
 * Tells the name of the client that a token belongs to; undefined where it belongs to none. What was added to the file or taken out
 * holds at once, and every token in it is compared, so that the time tells nothing of them.
 */
export function createTokenCheck(
  node: Modules,
  file: string,
): (token: string) => Promise<string | undefined> {
  const digest = (text: string) => node.crypto.createHash('sha256').update(text).digest();
  let held = { version: '', clients: [] as { client: string; digest: Uint8Array }[] };
  return async (token) => {
    const { mtimeMs, ctimeMs, size, ino } = await checkIsOwn(node, file);
    const version = [mtimeMs, ctimeMs, size, ino].join(' ');
    if (version !== held.version) {
      const tokens = await readTokens(node, file);
      held = {
        version,
        clients: tokens.map((each) => ({ client: each.client, digest: digest(each.token) })),
      };
    }
    const given = digest(token);
    const equal = held.clients.filter((each) => node.crypto.timingSafeEqual(each.digest, given));
    return equal[0]?.client;
  };
}

/** Gives a client a new token; one that it had before is refused from now on. What else is in the file stays as it is. */
export async function renewToken(node: Modules, file: string, client: string): Promise<void> {
  await changeLines(node, file, client, newLine(node, client));
}

/** Takes a client out: it is refused from now on. */
export async function removeToken(node: Modules, file: string, client: string): Promise<void> {
  await changeLines(node, file, client, undefined);
}

function newLine({ crypto }: Pick<Modules, 'crypto'>, client: string): string {
  const line = `${client} ${crypto.randomBytes(32).toString('hex')}`;
  if (!LINE.test(line) || client.startsWith('#'))
    throw new Refusal(
      'The name of a client is one word of up to 100 letters, such as "laptop-agent". Choose another name.',
    );
  return line;
}

/** Puts `line` in the place of a client's line, or at the end where it has none. */
async function changeLines(
  node: Modules,
  file: string,
  client: string,
  line: string | undefined,
): Promise<void> {
  const { fs, crypto } = node;
  await readTokens(node, file); // a file that is not right is not written over
  const lines = (await fs.readFile(file, 'utf8')).match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const isOf = (text: string) => LINE.exec(text.trim())?.[1] === client;
  const at = lines.findIndex(isOf);
  const end = lines.at(-1)?.endsWith('\n') === false ? '\n' : '';
  const kept = lines.flatMap((text, index) =>
    isOf(text) ? (index === at && line !== undefined ? [`${line}\n`] : []) : [text],
  );
  const draft = `${file}.${crypto.randomBytes(4).toString('hex')}`;
  await fs.writeFile(
    draft,
    [...kept, ...(at < 0 && line !== undefined ? [`${end}${line}\n`] : [])].join(''),
    { mode: 0o600 },
  );
  await fs.rename(draft, file);
}

/** The clients with their tokens. Throws a `Refusal` where the file is not this user's alone, or not written as it should be. */
export async function readTokens(
  node: Modules,
  file: string,
): Promise<{ client: string; token: string }[]> {
  await checkIsOwn(node, file);
  const lines = (await node.fs.readFile(file, 'utf8')).split(/\r?\n/);
  return lines.flatMap((line, at) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const [, client, token] = LINE.exec(line.trim()) ?? [];
    if (client === undefined || token === undefined)
      throw new Refusal(
        `Line ${at + 1} of "${file}" is not a name and a token of 64 hexadecimal digits. Write it so, or take it out.`,
      );
    return [{ client, token }];
  });
}
