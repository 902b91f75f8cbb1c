import { parseArgs } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readCommand } from '../../src/cli/parse-args.js';

const read = (...args: string[]) => readCommand(['mcp', '--vault', 'v', ...args], parseArgs);

describe('mcp --http', () => {
  it.each([
    [[], undefined],
    [['--http'], 0],
    [['--http', '0'], 0],
    [['--http', '8123'], 8123],
    [['--http=8123'], 8123],
    [['--http', '--read-only'], 0],
  ])('%j is port %j', (args, port) => {
    expect(read(...args)).toMatchObject({
      name: 'mcp',
      httpPort: port,
      readOnly: args.join().includes('--read-only'),
    });
  });

  it.each([
    [['--http', '65536'], 'There is no port "65536". Give a number from 0 to 65535, or none.'],
    [['--http=no'], 'There is no port "no".'],
    [['--http', 'no'], '"no" is one word too many for mcp.'],
  ])('%j is refused', (args, text) => {
    expect(() => read(...args)).toThrow(text);
  });

  it('takes a token file', () => {
    expect(read('--http', '--http-token-file', 'f')).toMatchObject({ httpPort: 0, tokenFile: 'f' });
  });
});

describe('import --from', () => {
  const import_ = (...args: string[]) =>
    readCommand(['import', 'x', '--vault', 'v', ...args], parseArgs);

  it.each(['savepoint', 'nexus', 'server-memory', 'basic-memory'])('takes %s', (program) => {
    expect(import_('--from', program)).toMatchObject({ name: 'import', from: 'x', program });
  });

  it('is told by the files where it is not given, and refused where there is no such program', () => {
    expect(import_()).toMatchObject({ program: undefined });
    expect(() => import_('--from', 'mem0')).toThrow(
      'There is no import from "mem0". Valid: savepoint, nexus, server-memory, basic-memory.',
    );
  });
});
