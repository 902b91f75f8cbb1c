import { afterEach, expect, it, vi } from 'vitest';
import { readPhoneMachine } from '../../../src/obsidian/host/phone-machine.js';
import { createTestClock } from '../../fakes/deterministic.js';

afterEach(() => vi.unstubAllGlobals());

type GetId = () => Promise<{ readonly identifier?: unknown }>;

/** Returns the machine in an app whose framework has this function. */
function machineWith(getId: GetId | undefined, isNative = true): Promise<string | undefined> {
  const Device = getId && { getId };
  vi.stubGlobal('window', { Capacitor: { isNativePlatform: () => isNative, Plugins: { Device } } });
  return readPhoneMachine(createTestClock());
}

const idOf = (identifier: unknown) => () => Promise.resolve({ identifier });

it('hashes the id of the phone', async () => {
  const [one, again, other] = [
    await machineWith(idOf('a1b2')),
    await machineWith(idOf('a1b2')),
    await machineWith(idOf('c3d4')),
  ];
  expect(one).toMatch(/^[0-9a-f]{64}$/);
  expect([again === one, other === one]).toEqual([true, false]);
});

it.each([
  ['no such function', undefined],
  ['one that fails', () => Promise.reject(new Error('not implemented'))],
  ['one without an id', () => Promise.resolve({})],
  ['an empty id', idOf('')],
  ['an id of another kind', idOf(7)],
])('knows no machine in an app with %s', async (_, getId) => {
  expect(await machineWith(getId as GetId | undefined)).toBeUndefined();
});

it('takes no id from a page, which keeps it in local storage', async () => {
  expect(await machineWith(idOf('a1b2'), false)).toBeUndefined();
  vi.stubGlobal('window', {});
  expect(await readPhoneMachine(createTestClock())).toBeUndefined();
});

it('does not wait for an app that never answers', async () => {
  const clock = createTestClock();
  vi.stubGlobal('window', {
    Capacitor: {
      isNativePlatform: () => true,
      Plugins: { Device: { getId: () => new Promise(() => undefined) } },
    },
  });
  const machine = readPhoneMachine(clock);
  clock.advance(1000);
  expect(await machine).toBeUndefined();
});
