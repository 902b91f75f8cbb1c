import { describe, expect, it } from 'vitest';
import { createFolderRedactor, redact } from '../../src/redaction/index.js';

describe('redact', () => {
  it.each([
    'sk-ant-api03-abcdefghijklmnopqrstuvwx',
    'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
    'AKIAIOSFODNN7EXAMPLE',
    'Bearer abc.def-ghi_jkl012345',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefg',
    'password: hunter2hunter2',
    '"apiKey":"0123456789abcdef"',
    'token=0123456789',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----',
  ])('redacts %s', (secret) => {
    const kept = redact(`before ${secret} after`);
    expect(kept).toContain('[secret]');
    expect(kept).toMatch(/^before .* after$/s);
    for (const part of ['hunter2', '0123456789', 'abcdefgh', 'MIIEow', 'IOSFODNN7'])
      expect(kept).not.toContain(part);
  });

  it.each([
    'The token refresh endpoint',
    'Ask for the password policy',
    'secretary: Ana',
    'sketch-of-a-plan',
  ])('keeps "%s"', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('createFolderRedactor', () => {
  it('redacts paths up to the next quote or line break', () => {
    const hide = createFolderRedactor(['Private']);
    expect(hide('See "private/Diary.md" and Private\nPrivateer')).toBe(
      'See "[excluded]" and [excluded]\nPrivateer',
    );
    expect(createFolderRedactor([])('Private/x')).toBe('Private/x');
  });

  it('redacts a path however it is composed, and leaves other texts as they are', () => {
    const [composed, decomposed] = ['Übung für', 'Übung für'.normalize('NFD')] as const;
    for (const [folder, typed] of [
      [composed, decomposed],
      [decomposed, composed],
      [composed, 'ÜBUNG\u00a0für'],
    ] as const)
      expect(createFolderRedactor([folder])(`{"path":"${typed}/x.md"}`)).toBe(
        '{"path":"[excluded]"}',
      );
    const other = `See ${decomposed}er`;
    expect(createFolderRedactor([composed])(other)).toBe(other);
  });

  it('redacts everything that looks like a path if the whole vault is excluded', () => {
    const hideAll = createFolderRedactor(['', 'Private']);
    expect(hideAll('{"path":"Garden/Beds","note":"Beds.md","days":1.5}')).toBe(
      '{"path":"[excluded]","note":"[excluded]","days":1.5}',
    );
  });
});
