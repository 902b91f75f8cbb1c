import { describe, expect, it, vi } from 'vitest';
import type { PhoneSabotage } from '../fakes/phone.js';
import { perTier, SEED } from '../tier.js';
import { runPhoneWorld } from './phone-world.js';

vi.mock('../../src/platform/sha256.js', () => import('./instant-sha256.js'));

const WORLDS = Number(process.env['SAVEPOINT_WORLDS'] ?? perTier(15, 700, 20_000));

/** Defects of which each breaks one guarantee. */
const SABOTAGES: Record<string, PhoneSabotage> = {
  'an append that is acknowledged before it has ended': {
    files: (files) => ({
      ...files,
      async append(path, bytes, options) {
        if (options.expect === 'new') return files.append(path, bytes, options);
        void files.append(path, bytes, options).catch(() => undefined);
        return { kind: 'file', size: options.expect.size + bytes.length, mtime: 0 };
      },
    }),
  },
  'an append that rewrites the file': {
    medium: (medium) =>
      new Proxy(medium, {
        get(target, key: keyof typeof medium) {
          if (key !== 'append') return bound(target, key);
          return async (path: string, bytes: Uint8Array) =>
            target.write(path, Buffer.concat([await target.read(path), bytes]));
        },
      }),
  },
  'windows that do not see the locks of each other': { hasLocksForAll: true },
  'an app that does not store the writers in use': {
    identities: (identities) => ({
      acquire: (lane) => identities.acquire(lane),
      release: (lane, record) => identities.release(lane, record),
      forget: (lane, writer) => identities.forget!(lane, writer),
    }),
  },
};

function bound(target: object, key: string): unknown {
  const value: unknown = Reflect.get(target, key);
  return typeof value === 'function' ? (value.bind(target) as unknown) : value;
}

describe('the simulated phone', () => {
  it(`loses nothing acknowledged for ${WORLDS} seeds`, { timeout: 3_600_000 }, async () => {
    const total = new Map<string, number>();
    const started = performance.now();
    for (let seed = SEED; seed < SEED + WORLDS; seed++) {
      const { violation, story, tally } = await runPhoneWorld(seed);
      if (violation !== undefined)
        throw new Error([`World ${seed} fails: ${violation}`, ...story].join('\n'));
      for (const [what, count] of tally) total.set(what, (total.get(what) ?? 0) + count);
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const counts = [...total].sort().map(([what, count]) => `${what}: ${count}`);
    console.log(`${WORLDS} phones from ${SEED} on, ${seconds} s\n${counts.join(', ')}`);
  });

  it('is the same for the same seed', async () => {
    expect(await runPhoneWorld(SEED)).toEqual(await runPhoneWorld(SEED));
  });

  it.each(Object.keys(SABOTAGES))('detects %s', async (name) => {
    let found: string | undefined;
    for (let seed = 1; seed <= 60 && found === undefined; seed++)
      found = (await runPhoneWorld(seed, SABOTAGES[name])).violation;
    expect(found).toBeDefined();
  });
});
