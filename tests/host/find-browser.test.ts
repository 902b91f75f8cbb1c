import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../fakes/program.js';
import { findBrowser, NoBrowserError } from './find-browser.js';

const LINUX = { platform: 'linux', arch: 'x64' } as const;
const MAC = { platform: 'darwin', arch: 'arm64' } as const;

/** Whether the Chromium from npm runs here: it needs the C library of GNU. */
const isPackedForThis =
  process.platform === 'linux' &&
  process.arch === 'x64' &&
  'glibcVersionRuntime' in (process.report.getReport() as { header: object }).header;

/** Returns a folder with a program of each name that ends with the exit code. */
function folderWith(programs: Record<string, number>): string {
  const folder = temporaryFolder('browsers');
  for (const [name, code] of Object.entries(programs)) {
    writeFileSync(
      join(folder, name),
      `#!/bin/sh\necho "${name} ends with ${code}" >&2\nexit ${code}\n`,
    );
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

describe.skipIf(process.platform === 'win32')('an installed browser', () => {
  it('comes before the one from npm', async () => {
    const folder = folderWith({ chromium: 0 });
    const { executablePath } = await findBrowser({ PATH: folder }, LINUX);
    expect(executablePath).toBe(join(folder, 'chromium'));
  });

  it('is passed over if it does not run', async () => {
    const folder = folderWith({ 'chromium-browser': 1, 'google-chrome': 0 });
    const { executablePath } = await findBrowser({ PATH: folder }, LINUX);
    expect(executablePath).toBe(join(folder, 'google-chrome'));
  });

  it('is used although others are installed if CHROME_BIN names it', async () => {
    const named = join(folderWith({ mine: 0 }), 'mine');
    const found = await findBrowser({ PATH: folderWith({ chromium: 0 }), CHROME_BIN: named });
    expect(found.executablePath).toBe(named);
  });

  it('must run if CHROME_BIN names it', async () => {
    const named = join(folderWith({ mine: 3 }), 'mine');
    await expect(findBrowser({ CHROME_BIN: named })).rejects.toThrow(
      `CHROME_BIN is "${named}", which does not run (mine ends with 3).`,
    );
    await expect(findBrowser({ CHROME_BIN: '/nowhere/chrome' })).rejects.toThrow(
      'CHROME_BIN is "/nowhere/chrome", which does not run (spawn /nowhere/chrome ENOENT).',
    );
  });
});

it.runIf(isPackedForThis)('the browser from npm runs without an installed one', async () => {
  const { executablePath, env } = await findBrowser({ PATH: '/nowhere' });
  const folder = dirname(executablePath);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(env).toMatchObject({ PATH: '/nowhere', FONTCONFIG_FILE: join(folder, 'fonts.conf') });
  expect(existsSync(join(String(env['LD_LIBRARY_PATH']), 'libnss3.so'))).toBe(true);
});

it.skipIf(process.platform === 'darwin')('says in one line why no browser runs', async () => {
  const error = await findBrowser({ PATH: folderWith({ chromium: 1 }) }, MAC).catch(String);
  expect(error).toMatch(
    /^Error: No Chromium runs here: \S+chromium does not run \(chromium ends with 1\), the one from npm is for Linux on x64, and this is darwin on arm64\. Install .* CHROME_BIN .*$/,
  );
  await expect(findBrowser({ PATH: '' }, MAC)).rejects.toThrow(NoBrowserError);
});
