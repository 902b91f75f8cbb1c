import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { endOf, runProgram, startProgram } from '../fakes/program.js';
import { someOf } from '../tier.js';

const USAGE_ERRORS: [string[], string][] = [
  [[], 'No command given.'],
  [['fly'], 'Unknown command "fly".'],
  [['__proto__'], 'Unknown command "__proto__".'],
  [['serch', 'x'], 'Unknown command "serch". Did you mean "search"?'],
  [['help', 'verfy'], 'Unknown command "verfy". Did you mean "verify"?'],
  [['connect', '--vaul', '.'], 'Unknown option "--vaul" for connect. Did you mean "--vault"?'],
  [['verify', '--vault', '.', '--heal=now'], 'Option "--heal" takes no value.'],
  [['call'], 'No tool given. Name the tool to call, such as listStates.'],
  [['connect'], 'connect needs --vault DIR, the folder that contains your notes.'],
  [
    ['call', 'listStates', 'twice', '--vault', '.'],
    'Unexpected argument "twice" for call. If the path contains spaces, put it in quotes.',
  ],
  [['call', 'listStates', '--vault', '.', '--json', '{"a":'], 'The parameters are not valid JSON'],
  [
    ['mcp', '--vault', '.', '--surface', 'round'],
    'Unknown surface "round". Valid: full, compact, actions.',
  ],
  [
    ['mcp', '--vault', '.', '--toolsets', 'storage,post'],
    'Unknown toolset "post". Valid: records, ',
  ],
  [['connect', '--vault', '.', '--toolsets', 'post'], 'Unknown toolset "post". Valid: records, '],
  [['tools', '--toolsets', ''], 'Unknown toolset "". Valid: records, '],
  [['tools', '--toolsets', '__proto__'], 'Unknown toolset "__proto__". Valid: records, '],
  [['tools', '--vault', '.'], 'Unknown option "--vault" for tools.'],
  [['export', '--vault', '.'], 'export needs --to DIR, a new or empty folder.'],
  [['export', '--to', 'x'], 'export needs --vault DIR, the folder that contains your notes.'],
  [
    ['export', '--vault', '.', '--to', 'x', '--as', 'pdf'],
    'Unknown format "pdf". Valid: jsonl, notes.',
  ],
  [['export', 'x', '--vault', '.', '--to', 'x'], 'Unexpected argument "x" for export.'],
  [
    ['import', '--vault', '.'],
    'No source given. Name the file or folder to import, such as savepoint-export.jsonl.',
  ],
  [['import', 'x'], 'import needs --vault DIR, the folder that contains your notes.'],
  [['import', 'x', 'y', '--vault', '.'], 'Unexpected argument "y" for import.'],
  [['import', 'x', '--vault', '.', '--force'], 'Unknown option "--force" for import.'],
  [['verify', '--vault'], 'Option "--vault" needs a value.'],
];

describe('wrong usage', () => {
  it.each(someOf(USAGE_ERRORS, 2))(
    '%j exits with 2, and prints the error and what to run',
    async (args, text) => {
      const { code, stdout, stderr } = await runProgram(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr.startsWith(text)).toBe(true);
      expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(4);
      expect(stderr).toMatch(/\nRun `node main\.js help.*` for .+\.\n$/);
    },
  );
});

describe('a reader that has seen enough', () => {
  it.each([
    ['tools --json', 'stdout'],
    ['help', 'stdout'],
    ['fly', 'stderr'],
  ] as const)('ends %s without an error', async (args, stream) => {
    const child = startProgram(args.split(' '));
    child[stream].destroy();
    const { code, stderr } = await endOf(child);
    expect({ code, stderr }).toEqual({ code: args === 'fly' ? 2 : 0, stderr: '' });
  });
});

describe('help and version', () => {
  it.each(someOf([['help'], ['--help'], ['-h']], 1))('%s lists the commands', async (name) => {
    expect(await runProgram([name])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Usage: node main.js COMMAND [OPTIONS]') as string,
      stderr: '',
    });
  });

  it.each(
    someOf(
      [
        ['help', 'call'],
        ['call', '--help'],
        ['call', 'listStates', '-h', '--vault', '.'],
      ],
      1,
    ),
  )('%s %s shows how to use the command', async (...args) => {
    expect(await runProgram(args)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Usage: node main\.js call TOOL \[--vault DIR\] /) as string,
      stderr: '',
    });
  });

  it('also run from bin/savepoint.cjs', () => {
    const bin = fileURLToPath(new URL('../../bin/savepoint.cjs', import.meta.url));
    expect(execFileSync(process.execPath, [bin, 'version'], { encoding: 'utf8' })).toBe('0.1.0\n');
    expect(() =>
      execFileSync(process.execPath, [bin, 'fly'], { stdio: 'pipe', encoding: 'utf8' }),
    ).toThrow(
      expect.objectContaining({
        status: 2,
        stderr: expect.stringMatching(/Run `.*savepoint(?:\.cjs)? help` for/) as string,
      }) as Error,
    );
  });
});
