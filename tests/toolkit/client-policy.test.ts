import { describe, expect, it } from 'vitest';
import {
  clientRefusal,
  needsApproval,
  explicitAccess,
  withClientAccess,
} from '../../src/toolkit/client-policy.js';
import type { ClientPolicy } from '../../src/model/settings/permissions.js';

const open: ClientPolicy = {
  isReadOnly: false,
  otherClients: 'write',
  writingClients: [],
  askingClients: [],
  readOnlyClients: [],
};
const write = { access: 'write', isRelay: false } as const;

describe('the access of a client', () => {
  it('is its explicit access, or the default', () => {
    const policy: ClientPolicy = {
      ...open,
      otherClients: 'ask',
      writingClients: ['Claude'],
      readOnlyClients: ['Codex'],
    };
    expect(
      ['Claude', 'Codex', 'Cursor'].map((client) => needsApproval(policy, client, write)),
    ).toEqual([false, false, true]);
    expect(clientRefusal(policy, 'Claude', write)).toBeUndefined();
    expect(clientRefusal(policy, 'Codex', write)).toContain('"Codex" may only read this memory.');
    expect(clientRefusal(policy, 'Cursor', write)).toContain(
      'need the approval of the user in Obsidian',
    );
  });

  it.each(['__proto__', 'constructor', 'toString', ''])(
    'is the default for a client named "%s"',
    (client) => {
      expect(explicitAccess(open, client)).toBeUndefined();
      const policy = withClientAccess({ ...open }, client, 'read');
      expect(clientRefusal(policy, client, write)).toContain('may only read');
      expect(clientRefusal(policy, 'Claude', write)).toBeUndefined();
    },
  );

  it('is the most restrictive one if several lists name the client', () => {
    const policy: ClientPolicy = { ...open, writingClients: ['Claude'], askingClients: ['Claude'] };
    expect(explicitAccess(policy, 'Claude')).toBe('ask');
    expect(needsApproval({ ...policy, isReadOnly: true }, 'Claude', write)).toBe(false);
    expect(clientRefusal({ ...policy, isReadOnly: true }, 'Claude', write)).toContain(
      'AI apps may only read',
    );
  });

  it('never prevents reads or relayed calls', () => {
    const policy: ClientPolicy = { ...open, isReadOnly: true, readOnlyClients: ['Claude'] };
    expect(clientRefusal(policy, 'Claude', { access: 'read', isRelay: false })).toBeUndefined();
    expect(clientRefusal(policy, 'Claude', { access: 'write', isRelay: true })).toBeUndefined();
  });

  it('can be set and removed for one client', () => {
    const asked = withClientAccess(withClientAccess(open, 'Claude', 'read'), 'Claude', 'ask');
    expect(asked).toEqual({ ...open, askingClients: ['Claude'] });
    expect(withClientAccess(asked, 'Claude', undefined)).toEqual(open);
  });

  it('is refused in a short message, even for a long client name', () => {
    const name = 'x'.repeat(10_000);
    expect(clientRefusal(withClientAccess(open, name, 'read'), name, write)?.length).toBeLessThan(
      300,
    );
  });
});
