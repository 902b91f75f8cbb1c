import { describe, expect, it } from 'vitest';
import {
  clientRefusal,
  mustAsk,
  ownAccess,
  withClientAccess,
  type ClientPolicy,
} from '../../src/agents/client-policy.js';

const open: ClientPolicy = {
  isReadOnly: false,
  otherClients: 'write',
  writingClients: [],
  askingClients: [],
  readOnlyClients: [],
};
const write = { access: 'write', isRelay: false } as const;

describe('what a client may do', () => {
  it('is what is said of it, else what is said of the others', () => {
    const policy: ClientPolicy = {
      ...open,
      otherClients: 'ask',
      writingClients: ['Claude'],
      readOnlyClients: ['Codex'],
    };
    expect(['Claude', 'Codex', 'Cursor'].map((client) => mustAsk(policy, client, write))).toEqual([
      false,
      false,
      true,
    ]);
    expect(clientRefusal(policy, 'Claude', write)).toBeUndefined();
    expect(clientRefusal(policy, 'Codex', write)).toContain('"Codex" may only read this memory.');
    expect(clientRefusal(policy, 'Cursor', write)).toContain(
      'only what the person allows when asked in Obsidian',
    );
  });

  it.each(['__proto__', 'constructor', 'toString', ''])(
    'is no more for one that calls itself "%s"',
    (client) => {
      expect(ownAccess(open, client)).toBeUndefined();
      const policy = withClientAccess({ ...open }, client, 'read');
      expect(clientRefusal(policy, client, write)).toContain('may only read');
      expect(clientRefusal(policy, 'Claude', write)).toBeUndefined();
    },
  );

  it('is the narrowest where several lists name it, and none of it holds against read-only for all', () => {
    const policy: ClientPolicy = { ...open, writingClients: ['Claude'], askingClients: ['Claude'] };
    expect(ownAccess(policy, 'Claude')).toBe('ask');
    expect(mustAsk({ ...policy, isReadOnly: true }, 'Claude', write)).toBe(false);
    expect(clientRefusal({ ...policy, isReadOnly: true }, 'Claude', write)).toContain(
      'AI apps may only read',
    );
  });

  it('never keeps it from reading, nor from calling what calls others', () => {
    const policy: ClientPolicy = { ...open, isReadOnly: true, readOnlyClients: ['Claude'] };
    expect(clientRefusal(policy, 'Claude', { access: 'read', isRelay: false })).toBeUndefined();
    expect(clientRefusal(policy, 'Claude', { access: 'write', isRelay: true })).toBeUndefined();
  });

  it('is changed for one, once, and taken back', () => {
    const asked = withClientAccess(withClientAccess(open, 'Claude', 'read'), 'Claude', 'ask');
    expect(asked).toEqual({ ...open, askingClients: ['Claude'] });
    expect(withClientAccess(asked, 'Claude', undefined)).toEqual(open);
  });

  it('is refused in a line, however long its name', () => {
    const name = 'x'.repeat(10_000);
    expect(clientRefusal(withClientAccess(open, name, 'read'), name, write)?.length).toBeLessThan(
      300,
    );
  });
});
