import { clip, Refusal } from '../../model/refusal.js';
import { counted } from '../../model/text/counted.js';
import { createDeviceStoreFile } from '../../node/device-store-file.js';
import { openStateFolder } from '../../node/ports/state-folder.js';
import {
  confirmDevice,
  isConfirmable,
  readDevices,
  withdrawDevice,
  type DeviceActivity,
} from '../../storage/index.js';
import type { ArgumentsOf } from '../command-options.js';
import { ask, isTerminal, print, printMessage } from '../output.js';
import type { ProgramHost } from '../program.js';
import { UsageError } from '../usage-error.js';
import { openVaultFolder, requireKnownVault } from '../vault-folder.js';
import { placesOf } from '../vault-log.js';

const MAX_ROWS = 20;

export async function runDevices(
  { state, confirm, withdraw, yes, ...args }: ArgumentsOf<'devices'>,
  program: ProgramHost,
): Promise<number> {
  if (confirm !== undefined && withdraw !== undefined)
    throw new UsageError('Pass --confirm or --withdraw, and only one of them.');
  const vault = args.vault ?? (await requireKnownVault(program, state));
  const { folder, files, dataFolder } = await openVaultFolder(program, vault);
  const places = await placesOf(program, { vault: folder, state });
  await openStateFolder(program.node, places.stateFolder, places.vault);
  const store = createDeviceStoreFile(program.node, places);
  const known = await store.load();
  if (withdraw !== undefined) {
    if (![...known.confirmed.values()].some(({ device }) => device === withdraw))
      throw new Refusal(`"${clip(withdraw)}" is not confirmed, so there is nothing to withdraw.`);
    if (!(await isAgreed(program, yes, 'withdrawn'))) return 1;
    await withdrawDevice(store, withdraw);
    print(program, `"${clip(withdraw)}" is no longer confirmed.\n`);
    return 0;
  }
  const devices = await readDevices(files, dataFolder, { known });
  if (confirm === undefined) printMessage(program, listText(devices));
  else {
    const device = findUnknown(devices, confirm);
    print(program, `${rowOf(device)}\n${WARNING}\n`);
    if (!(await isAgreed(program, yes, 'confirmed'))) return 1;
    await confirmDevice(store, device, Date.now());
    print(program, `Confirmed "${device.device}" with all that it has written here until now.\n`);
  }
  return 0;
}

const WARNING =
  'Anyone who can write to the vault can imitate a device, so compare the name with the one that this command shows there as "this device".';

async function isAgreed(
  program: ProgramHost,
  yes: boolean,
  done: 'confirmed' | 'withdrawn',
): Promise<boolean> {
  if (yes) return true;
  if (!isTerminal(program))
    throw new Refusal(`Nothing was ${done}: run this in a terminal, or add --yes.`);
  if ((await ask(program, 'Type "yes" to go on: ')) === 'yes') return true;
  print(program, `Nothing was ${done}.\n`);
  return false;
}

/** Returns the device of a name that has unknown writers. Throws a `Refusal` if there is none. */
function findUnknown(devices: readonly DeviceActivity[], name: string): DeviceActivity {
  const found = devices.filter(({ device }) => device === name && name !== '');
  const device = found.find((each) => isConfirmable(each, devices));
  if (device) return device;
  const [first, second] = found;
  if (!first)
    throw new Refusal(
      `No device called "${clip(name)}" has written here. Run "savepoint devices" for the names.`,
    );
  if (second)
    throw new Refusal(
      `This device and another one are called "${name}", so the name cannot tell whose lines they are. If both are yours, delete the state folder of the other one, which then gets a name of its own.`,
    );
  throw new Refusal(
    `"${name}" is ${TRUST[first.trust]}${first.trust === 'own' ? '' : ' already'}, so there is nothing to confirm.`,
  );
}

function listText(devices: readonly DeviceActivity[]): string {
  if (devices.length === 0) return 'No device has written here yet.\n';
  const shown = devices.slice(0, MAX_ROWS);
  const hidden = devices.length - shown.length;
  const width = Math.max(...shown.map(({ device }) => device.length));
  const rows = shown.map((device) => `${rowOf(device, width)}\n`).join('');
  const rest = hidden > 0 ? `  and ${hidden.toLocaleString('en')} more\n` : '';
  const isDone = !shown.some((device) => isConfirmable(device, devices));
  const advice = 'Run "savepoint devices --confirm NAME" for each that is yours.\n';
  return `${rows}${rest}${isDone ? '' : advice}`;
}

const TRUST = { own: 'this device', confirmed: 'confirmed', unknown: 'not confirmed' };

/** Others choose the name, so it comes after what this device says of it. */
function rowOf({ device, trust, unknown, ...lines }: DeviceActivity, width = 0): string {
  const { states, others, firstAt, lastAt } = lines;
  const parts = [
    TRUST[trust].padEnd(TRUST.unknown.length),
    (device === '' ? '(no name)' : device).padEnd(width),
    `${firstAt.slice(0, 10)} to ${lastAt.slice(0, 10)}`,
    `${counted(states, 'state')}, ${counted(others, 'other line')}`,
    ...(trust === 'unknown' ? [counted(unknown.size, 'writer')] : []),
    ...(trust === 'confirmed' && unknown.size > 0
      ? [`${counted(unknown.size, 'new writer')} not confirmed`]
      : []),
  ];
  return `  ${parts.join('  ')}`;
}
