import { describe, expect, it } from 'vitest';
import { verify } from '../../src/storage/integrity/verify.js';
import { createMemoryIdentities } from '../fakes/deterministic.js';
import { createVault, putWorkspace, ROOT, segmentsIn } from './helpers.js';

describe('a last segment that changes while no program runs', () => {
  it.each(['rolled back', 'deleted'])(
    'makes verification fail once the device writes again: %s',
    async (how) => {
      const { files, clock, open } = createVault();
      const identities = createMemoryIdentities();
      const first = open({ identities });
      await putWorkspace(first, 'Kept');
      const { path, bytes: older } = (await segmentsIn(files))[0]!;
      await putWorkspace(first, 'Lost');
      await first.close();
      await files.remove(path);
      if (how === 'rolled back') await files.append(path, older, { expect: 'new', durable: false });
      const second = open({ identities });
      await putWorkspace(second, 'Later');
      await second.close();
      expect((await verify(files, ROOT, { now: clock.now() })).isWhole).toBe(false);
    },
  );
});
