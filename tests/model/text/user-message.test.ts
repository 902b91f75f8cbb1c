import { expect, it } from 'vitest';
import { isRequest, namesTask } from '../../../src/model/text/user-message.js';

it.each([
  'Fix the login',
  'Name the scans by date.',
  'No, use the other table and leave the first one as it is',
  'Now the changelog, please',
  '把登录页面改成深色',
  '/home/me/app does not start any more',
  'looks good, now fix the footer',
  'Is it all good for you?',
  'Good tests for the login',
  '/review src/pay.ts for rounding errors',
  '/team:plan the move to the new host',
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
  '/compact keep the names of the tests',
  '/review',
  'да, давай так',
  'looks good, thanks',
  'Cool, danke dir!',
  'thank you very much for your help',
  'Sieht sehr gut aus, vielen Dank',
  'C’est très bien, merci beaucoup',
  'muy buen trabajo',
])('%j is no request', (message) => {
  expect(isRequest(message)).toBe(false);
});

it('a word or two can name a task, but not a command or a courtesy', () => {
  expect(['Tidy', 'fix login', 'Yesterday'].every(namesTask)).toBe(true);
  expect(['', 'hi', 'ok', '/review', 'Danke!', 'looks good'].some(namesTask)).toBe(false);
});
