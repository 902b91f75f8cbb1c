import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/event.js';
import { apply, emptyMemory, entityOf } from '../../../src/model/memory.js';
import {
  provenanceData,
  gitHeadIn,
  readSavedBy,
  recordedDigest,
  toVisibleLine,
  type Provenance,
} from '../../../src/model/states/provenance.js';
import { stateData, stateOf } from '../../../src/model/state.js';
import { contentOf, eventOf } from '../../fakes/events.js';

const SHA = 'a'.repeat(64);
const by = { client: 'claude-code', session: 's1', device: 'Laptop' };

function stateWith(provenance: Provenance | JsonObject) {
  const known = stateData('default', contentOf('Save'), SHA);
  const d = {
    ...known,
    ...('by' in provenance ? provenanceData(provenance as Provenance) : provenance),
  };
  return stateOf(entityOf(apply(emptyMemory, eventOf({ t: 'state.new', e: 's1', d })), 's1'));
}

describe('the provenance of a state', () => {
  it('is read as it was stored', () => {
    const files = { 'a.md': { sha256: SHA, size: 12 }, 'gone.md': null };
    const git = { head: 'b'.repeat(40), branch: 'main' };
    const stored = stateData('w', contentOf('Save'), SHA, { by, files, git });
    expect(Object.keys(stored).slice(-4)).toEqual(['sha', 'by', 'files', 'git']);
    expect(stateWith({ by, files, git })).toMatchObject({ savedBy: by, files, git });
  });

  it('is undefined for a state without it', () => {
    const state = stateWith({});
    expect([state?.savedBy, state?.files, state?.git]).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    { by: 'me' },
    { by: { client: 5, session: 's', device: 'd' } },
    { files: [1], git: 'main' },
    { git: { head: 'not a commit', branch: '' } },
    { git: { head: 5, branch: null } },
  ])('is ignored if it is malformed: %j', (d) => {
    const state = stateOf(
      entityOf(
        apply(
          emptyMemory,
          eventOf({
            t: 'state.new',
            e: 's1',
            d: { ...stateData('w', contentOf('Save'), SHA), ...d },
          }),
        ),
        's1',
      ),
    );
    expect(state).toMatchObject({ name: 'Save' });
    expect([state?.savedBy, state?.files, state?.git]).toEqual([undefined, undefined, undefined]);
  });

  it('shows names in one visible line of limited length', () => {
    const hostile = { client: 'a\nb', session: 's', model: 'm\u202Ex', device: 'x'.repeat(60) };
    expect(readSavedBy(hostile)).toEqual({
      client: 'a b',
      session: 's',
      model: 'mx',
      device: 'x'.repeat(40),
    });
  });
});

describe('recordedDigest', () => {
  const files = JSON.parse(
    '{"a.md":{"sha256":"x","size":1,"sampled":true},"gone.md":null,"bad":{"size":"1"},"__proto__":{"sha256":"y","size":2}}',
  ) as JsonObject;

  it.each([
    ['a.md', { sha256: 'x', size: 1, sampled: true }],
    ['gone.md', null],
    ['__proto__', { sha256: 'y', size: 2 }],
    ['bad', undefined],
    ['constructor', undefined],
    ['new.md', undefined],
  ])('of %s is %j', (path, expected) => {
    expect(recordedDigest(files, path)).toEqual(expected);
  });
});

it('toVisibleLine removes line breaks and invisible characters', () => {
  expect(toVisibleLine(' Ana\u2019s\r\n\u200BLap\u202Etop\u0007 ')).toBe('Ana’s Laptop');
  expect(toVisibleLine('\u200B\u2066')).toBe('');
});

it('readGitHead accepts a detached head and a branch without commits', () => {
  expect(gitHeadIn({ head: SHA })).toEqual({ head: SHA });
  expect(gitHeadIn({ branch: 'main\n' })).toEqual({ branch: 'main' });
});
