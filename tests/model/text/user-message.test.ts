import { expect, it } from 'vitest';
import { isRequest, namesTask } from '../../../src/model/text/user-message.js';

it.each([
  'Fix the login',
  'Name the scans by date.',
  'No, use the other table and leave the first one as it is',
  'Now the changelog, please',
  '把登录页面改成深色',
  '/home/me/app does not start any more',
])('%j is a request', (message) => {
  expect(isRequest(message)).toBe(true);
});

it.each([
  '',
  'yes',
  'ok do it',
  'Yes, go ahead please',
  'ja, mach das',
  '"Sí", adelante',
  'go on',
  'hey, are you there?',
  'Good morning everyone',
  '/compact',
  '/savepoint:resume the login work',
  'да, давай так',
])('%j is no request', (message) => {
  expect(isRequest(message)).toBe(false);
});

it('a word or two can name a task, but not a command or a courtesy', () => {
  expect(['Tidy', 'fix login', 'Yesterday'].every(namesTask)).toBe(true);
  expect(['', 'hi', 'ok', '/review', 'Danke!'].some(namesTask)).toBe(false);
});
