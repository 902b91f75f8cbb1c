import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { CACHE_FOLDER } from '../../scripts/host-page.mjs';

const run = promisify(execFile);

/** A browser that runs on this machine, and the environment variables that it needs for that. */
export interface BrowserProgram {
  readonly executablePath: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Neither an installed browser nor the one from npm runs. The message is one line. */
export class NoBrowserError extends Error {}

/**
 * The shell is Chromium without the windows of a browser, which take half of the time to open a
 * page.
 */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const MAC_PATHS = ['Google Chrome', 'Chromium'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);
const ADVICE =
  'Install Chromium or Chrome, or set CHROME_BIN to the path of one, to run what needs a browser.';
/** Those of the package expect its fonts in `/tmp/fonts`. The machine's own fonts come first. */
const FONT_SETTINGS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts/fonts</dir>
  <cachedir prefix="xdg">fonts-cache</cachedir>
</fontconfig>
`;
const ROOT = join(CACHE_FOLDER, '../../..');
const PACKAGE = join(ROOT, 'node_modules/@sparticuz/chromium/package.json');
const UNPACKER = join(ROOT, 'scripts/unpack-chromium.mjs');

/**
 * Returns the first that runs: CHROME_BIN, an installed Chromium or Chrome, the Chromium from npm.
 * Throws a `NoBrowserError` if none does, and an error if CHROME_BIN is set and does not run.
 */
export async function findBrowser(
  env: NodeJS.ProcessEnv = process.env,
  { platform, arch }: Pick<NodeJS.Process, 'platform' | 'arch'> = process,
): Promise<BrowserProgram> {
  const named = env['CHROME_BIN'];
  if (named !== undefined && named !== '') {
    const failure = await failureOf({ executablePath: named, env });
    if (failure === undefined) return { executablePath: named, env };
    throw new Error(`CHROME_BIN is "${named}", which does not run (${failure}).`);
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const failures: string[] = [];
  for (const executablePath of [...onPath, ...(platform === 'darwin' ? MAC_PATHS : [])]) {
    if (!existsSync(executablePath)) continue;
    const failure = await failureOf({ executablePath, env });
    if (failure === undefined) return { executablePath, env };
    failures.push(`${executablePath} does not run (${failure})`);
  }
  if (platform === 'linux' && arch === 'x64') {
    const packed = await unpack(env);
    const failure = await failureOf(packed);
    if (failure === undefined) return packed;
    failures.push(`the one from npm does not run (${failure})`);
  } else {
    failures.push(`the one from npm is for Linux on x64, and this is ${platform} on ${arch}`);
  }
  throw new NoBrowserError(`No Chromium runs here: ${failures.join(', ')}. ${ADVICE}`);
}

/** Returns the last line of what a browser says that does not run. */
async function failureOf({ executablePath, env }: BrowserProgram): Promise<string | undefined> {
  try {
    await run(executablePath, ['--version'], { env, timeout: 60_000 });
    return undefined;
  } catch (error) {
    return (error as Error).message.trim().split('\n').at(-1);
  }
}

/**
 * Unpacks the Chromium from npm, with the libraries and fonts that a bare machine lacks, once per
 * version into the checkout's own cache. The arguments that its package recommends are not used:
 * `--single-process` lets a page that ends take the browser along, and others turn off security.
 */
async function unpack(env: NodeJS.ProcessEnv): Promise<BrowserProgram> {
  const { version } = JSON.parse(await readFile(PACKAGE, 'utf8')) as { version: string };
  const folder = join(CACHE_FOLDER, `chromium-${version}`);
  if (!existsSync(folder)) {
    await mkdir(CACHE_FOLDER, { recursive: true });
    const half = await mkdtemp(`${folder}-`);
    try {
      await run(process.execPath, [UNPACKER], { env: { ...env, TMPDIR: half } });
      await writeFile(join(half, 'fonts.conf'), FONT_SETTINGS);
      await rename(half, folder);
    } catch (error) {
      if (!existsSync(folder)) throw error; // else another process was faster
    } finally {
      await rm(half, { recursive: true, force: true });
    }
  }
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      ...env,
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
      XDG_CACHE_HOME: folder,
    },
  };
}
