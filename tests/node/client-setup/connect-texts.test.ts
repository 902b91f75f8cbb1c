import { describe, expect, it } from 'vitest';
import { findApp } from '../../../src/apps/index.js';
import { redactedDiff, planText, stepText } from '../../../src/node/client-setup/connect-texts.js';

describe('changedLines', () => {
  it.each([
    ['', 'a\n', ['+ a']],
    ['a\n', '', ['- a']],
    ['1\n2\n3\n4\n5\n', '1\n2\n3\nx\n4\n5\n', ['  2', '  3', '+ x', '  4', '  5']],
    ['1\n2\n3\n', '1\nx\ny\n3\n', ['  1', '- 2', '+ x', '+ y', '  3']],
    ['a\na\n', 'a\na\na\n', ['  a', '  a', '+ a']],
    ['a\r\nb\r\n', 'a\r\nb\r\nc\r\n', ['  a', '  b', '+ c']],
    ['a', 'a', ['  a']],
    ['{\n{}\n}', '{\n{},\nb\n}', ['  {', '  {},', '+ b', '  }']],
    ['{\na,\nb\n}', '{\na\n}', ['  {', '  a', '- b', '  }']],
    ['a,\n', 'b\n', ['- a,', '+ b']],
  ])('lists the changes from %j to %j', (before, after, lines) => {
    expect(redactedDiff(before, after)).toEqual(lines);
  });

  it('redacts keys', () => {
    expect(redactedDiff('', '"API_KEY": "0123456789"').join('')).toBe('+ "API_KEY": "[secret]"');
  });
});

it('planText removes control characters from names and paths', () => {
  const app = findApp('config', 'cursor')!;
  const config = { app, file: '/a\u{1B}[2J/mcp.json', folder: '/a' };
  const plan = {
    config,
    file: config.file,
    name: 'savepoint',
    change: 'add' as const,
    before: '',
    after: 'x\u{7}\n',
  };
  expect(planText(plan, true)).toBe(
    'Cursor: "savepoint" in /a\u{FFFD}[2J/mcp.json: would add\n  + x\u{FFFD}\nThis was a dry run: nothing was written.\n',
  );
  expect(stepText({ step: 'node', isOk: false, ms: 3, text: 'none', fix: 'look' })).toBe(
    '  NO  node           3 ms  none\n      Fix: look.\n',
  );
});
