// Tier full: the app, a client and the shell; devices.test.ts confirms devices in the browser
import { expect, test } from 'vitest';
import { callProgram } from '../../cli/program-folders.js';
import { connect, runProgram, temporaryFolder } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { createDesktopPlace, startDesktop, whenShown } from './desktop-app.js';

test('app and shell of a computer know each other, and share what was confirmed', async () => {
  const place = createDesktopPlace();
  const { vault, state } = place;
  const phone = { vault, state: temporaryFolder('phone') };
  await callProgram(phone, 'createState', stateNamed('On the phone'));
  const { host, openPage, clickNow, texts } = await startDesktop(place);
  const { client, call } = await connect(vault, state);
  expect(await call('createState', stateNamed('In the app'))).toMatchObject({ success: true });
  await client.close();
  await openPage('Storage');
  await whenShown(() =>
    host.evaluate(() => {
      const rows = [...document.querySelectorAll('.setting-item')];
      const nameOf = (row: Element) => row.querySelector('.setting-item-name')?.textContent;
      const button = rows.find((row) => nameOf(row) === 'Devices')?.querySelector('button');
      if (!button || button.disabled) throw new Error('The list of devices is not offered');
      button.click();
    }),
  );
  await clickNow('.savepoint-devices button', 'Confirm');
  await whenShown(async () =>
    expect((await texts('.savepoint-devices .setting-item-description')).join()).toContain(
      'Confirmed',
    ),
  );
  await host.quit();
  expect(host.errors).toEqual([]);

  await callProgram(place, 'createState', stateNamed('In the shell'));
  const list = await runProgram(['devices', '--vault', vault, '--state', state]);
  const trusts = list.stdout.split('\n').map((line) => line.slice(2, 15).trim());
  expect(trusts).toEqual(['this device', 'this device', 'confirmed', '']);
});
