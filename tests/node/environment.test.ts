import { join } from 'node:path';
import { expect, it } from 'vitest';
import { envValue, expandedValue } from '../../src/node/environment.js';
import { defaultStateFolder } from '../../src/node/ports/state-folder.js';
import { node } from './folders.js';

it.each([
  ['a value', '/x', '/x'],
  ['no value', undefined, undefined],
  ['an empty value', '', undefined],
  ['a blank value', ' ', undefined],
  ['an unexpanded reference', '${user_config.vault}', undefined],
  ['a path with an unexpanded reference', '${env:HOME}/state', undefined],
  ['a path with a dollar sign', '/a$b/{c}', '/a$b/{c}'],
])('reads %s', (_, value, expected) => {
  expect([envValue({ NAME: value }, 'NAME'), expandedValue(value)]).toEqual([expected, expected]);
});

it.each(['', '${XDG_STATE_HOME}'])('ignores XDG_STATE_HOME if it is "%s"', (value) => {
  const home = join(node.os.homedir(), '.local', 'state', 'savepoint');
  expect(defaultStateFolder(node, { XDG_STATE_HOME: value }, 'linux')).toBe(home);
});
