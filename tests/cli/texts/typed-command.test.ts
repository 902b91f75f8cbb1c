import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../src/cli/command-table.js';
import { asTyped } from '../../../src/cli/texts/typed-command.js';
import { node } from '../../node/folders.js';

const typed = (text: string, ...args: string[]) =>
  asTyped({ node, script: path.resolve('main.js'), args, env: {} }, text);

describe('a command in a message', () => {
  it.each(Object.keys(COMMANDS).filter((name) => !['version', 'hook'].includes(name)))(
    'starts with the program as it was started: %s',
    (name) => {
      expect(typed(`Run "savepoint ${name}".`)).toBe(`Run \`node main.js ${name}\`.`);
    },
  );

  it.each([
    ['what npm links', 'bin/savepoint', { PATH: `/usr/bin:${path.resolve('bin')}` }],
    [
      "npm's file on Windows",
      'npm/node_modules/savepoint/bin/savepoint.cjs',
      { Path: path.resolve('npm') },
    ],
    ['our command', 'savepoint.js', { SAVEPOINT_COMMAND: '1' }],
  ])('starts with savepoint if the program was started by %s', (_, script, env) => {
    const program = { node, script: path.resolve(script), args: [], env };
    expect(asTyped(program, 'Run "savepoint links".')).toBe('Run `savepoint links`.');
  });

  it.each([
    ['npx, whose folder is on PATH only for it', { PATH: '/c/bin', npm_command: 'exec' }],
    ['a path, with its folder not on PATH', { PATH: '/usr/bin' }],
    ['a path, without PATH', {}],
  ])("starts with the path of npm's command if that was started by %s", (_, env) => {
    const program = { node, script: '/c/bin/savepoint', args: [], env };
    expect(asTyped(program, 'Run "savepoint links".')).toBe('Run `node /c/bin/savepoint links`.');
  });

  it('starts with the path of the installed program if an app started that', () => {
    const program = { node, script: '/p/savepoint.js', args: [], env: {} };
    expect(asTyped(program, 'Run "savepoint links".')).toBe('Run `node /p/savepoint.js links`.');
  });

  it('is for the vault that the user has named', () => {
    const inNotes = (text: string) => typed(text, 'verify', '--vault', 'My notes');
    expect(inNotes('Run "savepoint verify --heal", or "savepoint links".')).toBe(
      'Run `node main.js verify --heal --vault "My notes"`, or `node main.js links`.',
    );
    expect(inNotes('Run "savepoint connect codex --vault DIR".')).toBe(
      'Run `node main.js connect codex --vault "My notes"`.',
    );
    expect(inNotes('Run "savepoint connect codex --vault /other".')).toBe(
      'Run `node main.js connect codex --vault /other`.',
    );
    expect(
      inNotes('No "A B": run "savepoint link "a b" --vault "c d"" or "savepoint links".'),
    ).toBe('No "A B": run `node main.js link "a b" --vault "c d"` or `node main.js links`.');
    expect(inNotes('Cursor: "savepoint" is for "savepoint-x".')).toBe(
      'Cursor: "savepoint" is for "savepoint-x".',
    );
    expect(inNotes('Pass what "savepoint export" wrote.')).toBe(
      'Pass what `node main.js export` wrote.',
    );
  });
});
