import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findApp } from '../../../../src/apps/index.js';
import { removeHooks, setHooks } from '../../../../src/node/client-setup/hooks/hook-config.js';
import {
  hookSettings,
  programOfHook,
} from '../../../../src/node/client-setup/hooks/hook-settings.js';

const hooks = hookSettings(findApp('hooks', 'claude-code')!, 'node /p/main.js', false);
const put = (text: string) => setHooks(text, 'json', hooks);
const data = (text: string) => JSON.parse(text) as { hooks: Record<string, unknown[]> };

describe('setHooks', () => {
  it('writes a command for each event, with a timeout in seconds', () => {
    expect(data(put(''))).toEqual({
      hooks: {
        SessionStart: [
          {
            hooks: [
              {
                type: 'command',
                command: 'node /p/main.js hook session-start --client claude-code',
                timeout: 10,
              },
            ],
          },
        ],
        Stop: [expect.anything()],
        PreCompact: [expect.anything()],
        SessionEnd: [expect.anything()],
        UserPromptSubmit: [expect.anything()],
      },
    });
  });

  it("uses Gemini's own events and milliseconds", () => {
    const settings = hookSettings(findApp('hooks', 'gemini')!, 'node main.js', true);
    expect(Object.keys(settings)).toEqual([
      'SessionStart',
      'AfterAgent',
      'PreCompress',
      'SessionEnd',
      'BeforeAgent',
      'AfterTool',
    ]);
    expect(settings['AfterTool']?.[0]?.matcher).toContain('replace');
    expect(settings['AfterAgent']?.[0]?.hooks[0]).toEqual({
      type: 'command',
      command: 'node main.js hook turn --client gemini',
      timeout: 10_000,
    });
  });

  it('adds to the hooks of others and keeps every other byte', () => {
    const other = '{ "hooks": [{ "type": "command", "command": "date" }] }';
    const text = `{\n\t"model": "x",\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t${other}\n\t\t]\n\t}\n}\n`;
    const written = put(text);
    expect(written.startsWith(text.slice(0, text.indexOf(other) + other.length))).toBe(true);
    expect(data(written).hooks['Stop']).toHaveLength(2);
    expect(removeHooks(written, 'json')).toBe(text);
  });

  it('changes nothing the second time, and only the command for another program', () => {
    const once = put('{}');
    expect(put(once)).toBe(once);
    const moved = setHooks(
      once,
      'json',
      hookSettings(findApp('hooks', 'claude-code')!, 'node /q/main.js', false),
    );
    expect(moved).toBe(once.replaceAll('/p/main.js', '/q/main.js'));
  });

  it('updates a command that the user has moved into another group', () => {
    const own = 'node /old/main.js hook turn --client claude-code';
    const text = `{"hooks":{"Stop":[{"matcher":"x","hooks":[{"type":"command","command":"${own}","timeout":10}]}]}}`;
    expect(data(put(text)).hooks['Stop']).toEqual([
      {
        matcher: 'x',
        hooks: [
          {
            type: 'command',
            command: 'node /p/main.js hook turn --client claude-code',
            timeout: 10,
          },
        ],
      },
    ]);
  });

  it.each(['{ "hooks": [] }', '{ "hooks": { "Stop": {} } }', '{ "hooks": 7 }'])(
    'refuses %s, which is no object with lists',
    (text) => {
      expect(() => put(text)).toThrow('The hooks cannot be changed in this file');
    },
  );
});

it('asks for as much time when a session ends as the app allows', () => {
  const timesOf = (client: string) => {
    const settings = hookSettings(findApp('hooks', client)!, 'node /p/main.js', false);
    return [settings['SessionEnd'], settings['SessionStart']].map(
      (hook) => hook?.[0].hooks[0].timeout,
    );
  };
  expect([timesOf('codex'), timesOf('claude-code')]).toEqual([
    [3, 10],
    [10, 10],
  ]);
});

describe('removeHooks', () => {
  it('keeps the other commands of a group', () => {
    const own = 'node /p/main.js hook turn --client claude-code';
    const text = `{"hooks":{"Stop":[{"hooks":[{"command":"a"},{"command":"${own}"},{"command":"b"}]}]}}`;
    expect(removeHooks(text, 'json')).toBe(
      '{"hooks":{"Stop":[{"hooks":[{"command":"a"},{"command":"b"}]}]}}',
    );
  });

  it('keeps every hook of another program unchanged', () => {
    const command = fc.record({ type: fc.constant('command'), command: fc.string() });
    const group = fc.record({ matcher: fc.string(), hooks: fc.array(command, { minLength: 1 }) });
    const events = fc.dictionary(
      fc.constantFrom('Stop', 'SessionStart', 'PreToolUse'),
      fc.array(group, { minLength: 1 }),
      { minKeys: 1 },
    );
    fc.assert(
      fc.property(events, fc.constantFrom(undefined, 2, '\t'), (others, indent) => {
        const text = JSON.stringify({ a: 1, hooks: others, z: [{}] }, null, indent);
        expect(removeHooks(put(text), 'json')).toBe(text);
      }),
    );
  });
});

describe('programOfHook', () => {
  it.each([
    ['node main.js hook turn --client codex', 'node main.js'],
    ["node '/a b/main.js' hook session-end --client gemini", "node '/a b/main.js'"],
    ['git hook turn --client codex --more', undefined],
    ['echo hook', undefined],
    [7, undefined],
  ])('of %j is %j', (command, program) => {
    expect(programOfHook(command)).toBe(program);
  });
});
