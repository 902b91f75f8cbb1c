// Tier full: forgetting on a real disk; forget.test.ts forgets in the browser
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callProgram } from '../../cli/program-folders.js';
import { runProgram } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { createDesktopPlace, startDesktop, whenShown } from './desktop-app.js';
import { formsOf } from './leftovers.js';

const SECRET = 'the "door" opens with Xq7-umbrella-violin';
const FORMS = [...formsOf(SECRET), 'umbrella-violin'];

/** Returns the files below a folder that contain any form of the secret. */
function filesWithSecret(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name);
    if (!statSync(path).isFile()) return false;
    const bytes = readFileSync(path);
    return FORMS.some((form) => bytes.includes(form));
  });
}

test('the app removes what the program keeps on the computer, too', async () => {
  const place = createDesktopPlace();
  const options = ['--vault', place.vault, '--state', place.state];
  const secret = { ...stateNamed('Access'), conversationContext: `Say that ${SECRET}` };
  expect((await callProgram(place, 'createState', stateNamed('Plan'))).code).toBe(0);
  expect((await callProgram(place, 'createState', secret)).code).toBe(0);
  expect((await runProgram(['search', 'umbrella violin', '--memory', ...options])).code).toBe(0);
  expect((await runProgram(['brief', ...options])).code).toBe(0);
  expect(filesWithSecret(place.vault).length).toBeGreaterThan(1);
  expect(filesWithSecret(place.state).length).toBeGreaterThan(0);

  const indexes = () =>
    readdirSync(place.state, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('/search'),
    );
  expect(indexes()).toHaveLength(1);

  const { host, run, clickNow, texts } = await startDesktop(place);
  await run('forget-state');
  await whenShown(() =>
    host.evaluate(() => {
      const rows = [...document.querySelectorAll<HTMLElement>('.suggestion-item')];
      const row = rows.find(({ textContent }) => textContent.includes('Access'));
      if (!row) throw new Error('The state is not offered');
      row.click();
    }),
  );
  await expect.poll(() => texts('.savepoint-forget strong')).toEqual(['This cannot be undone.']);
  await clickNow('.modal button', 'Forget');

  // the program's own segments wait for the program, which is not running
  const rest = '2 files are still in use by another program or device.';
  await expect.poll(async () => (await texts('.notice')).join()).toContain(`good. ${rest}`);
  expect(filesWithSecret(place.state)).toEqual([]);
  expect(indexes()).toEqual([]);
  await host.quit();
  expect(host.errors).toEqual([]);
  expect(filesWithSecret(place.vault)).toHaveLength(2);
  const { stdout } = await callProgram(place, 'listStates', {});
  expect(stdout).toContain('Plan');
  expect(stdout).not.toContain('Access');
  const report = await runProgram(['verify', ...options]);
  expect(report.stdout).toContain('forgotten');
  expect(report.code).toBe(0);
  expect([...filesWithSecret(place.vault), ...filesWithSecret(place.state)]).toEqual([]);
});
