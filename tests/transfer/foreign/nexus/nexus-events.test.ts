import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/model/event.js';
import { createReadStats } from '../../../../src/transfer/foreign/foreign-memory.js';
import {
  groupEvents,
  isNexusEvent,
  readNexusEvents,
} from '../../../../src/transfer/foreign/nexus/nexus-events.js';
import { fileOf, stateSaved, workspaceCreated, workspaceUpdated } from '../nexus-vault.js';

const T = Date.UTC(2026, 4, 1);

/** Returns the text as bytes, with an invalid byte for every `~`. */
function garbled(text: string): Uint8Array {
  return new TextEncoder().encode(text).map((byte) => (byte === 0x7e ? 0xff : byte));
}

describe('Nexus events', () => {
  const whole = { type: 'news', id: 'e1', deviceId: 'd1', timestamp: 5 };

  it.each([
    [whole, true],
    [{ ...whole, type: 5 }, false],
    [{ ...whole, id: null }, false],
    [{ ...whole, deviceId: 5 }, false],
    [{ ...whole, timestamp: '5' }, false],
    [{ ...whole, timestamp: Infinity }, false],
  ])('are recognized in %j: %s', (value, isOne) => {
    expect(isNexusEvent(value)).toBe(isOne);
  });

  it.each([
    ['workspace_created', 1],
    ['state_saved', 1],
    ['trace_added', 1],
    ['metadata', 1],
    ['message', 1],
    ['state_deleted', 0],
  ])('of type %s are kept %d times if garbled', async (type, count) => {
    const text = JSON.stringify({ ...whole, type, data: { id: 'x', text: 'a~b' } });
    expect(await readNexusEvents([fileOf('a', garbled(text))], createReadStats())).toHaveLength(
      count,
    );
  });

  it('are grouped together if they have no key', async () => {
    const lines = ['a', 'b', 'a']
      .map((key, at) => workspaceUpdated(key, T + at, {}).text)
      .join('\n');
    const events = await readNexusEvents([fileOf('a', lines)], createReadStats());
    const keyOf = ({ value }: { value: JsonObject }) =>
      value['workspaceId'] === 'a' ? undefined : 'b';
    expect([...groupEvents(events, keyOf)].map(([key, group]) => [key, group.length])).toEqual([
      ['', 2],
      ['b', 1],
    ]);
  });
});

describe('readNexusEvents', () => {
  it('sorts the events of all files by time, without duplicates', async () => {
    const account = createReadStats();
    const [one, two, three] = [
      workspaceUpdated('w1', T + 2, { name: 'B' }),
      workspaceCreated('w1', T),
      workspaceUpdated('w1', T + 1, { name: 'A' }),
    ];
    const files = [
      fileOf('a', `${one.text}\n${three.text}\n`),
      fileOf('b', `${two.text}\n${one.text}\n`),
    ];
    const events = await readNexusEvents(files, account);
    expect(events.map(({ value }) => value['id'])).toEqual([two.id, three.id, one.id]);
    expect(account).toMatchObject({ read: 4, recognized: 4, duplicates: 1, troubles: [] });
  });

  it('keeps different events with the same id', async () => {
    const { text } = workspaceCreated('w1', T);
    const account = createReadStats();
    expect(
      await readNexusEvents(
        [fileOf('a', `${text}\n${text.replace('Workspace w1', 'Other')}\n`)],
        account,
      ),
    ).toHaveLength(2);
    expect(account.duplicates).toBe(0);
  });

  it('keeps garbled creations and drops garbled changes', async () => {
    const account = createReadStats();
    const created = stateSaved('s1', 'w1', T, { conversationContext: 'We ~ spoke' }).text;
    const changed = workspaceUpdated('w1', T, { name: 'A~B' }).text;
    const whole = workspaceUpdated('w1', T, { name: 'Whole' }).text;
    const events = await readNexusEvents(
      [
        fileOf(
          'a',
          garbled(`${created}\n${changed}\n${whole}~${whole.replace('Whole', 'More')}\n`),
        ),
      ],
      account,
    );
    expect(events.map(({ type, data }) => [type, data['name']])).toEqual([
      ['state_saved', 'State s1'],
      ['workspace_updated', 'Whole'],
      ['workspace_updated', 'More'],
    ]);
    expect(account.troubles.map(({ line, kind }) => [line, kind])).toEqual([
      [1, 'garbled'],
      [2, 'damaged'],
      [3, 'salvaged'],
    ]);
  });
});
