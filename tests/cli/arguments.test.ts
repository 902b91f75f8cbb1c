import { parseArgs } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readCommand } from '../../src/cli/arguments.js';

const read = (...args: string[]) => readCommand(['mcp', '--vault', 'v', ...args], parseArgs);

describe('mcp --http', () => {
  it.each([
    [[], undefined],
    [['--http'], 0],
    [['--http', '0'], 0],
    [['--http', '8123'], 8123],
    [['--http=8123'], 8123],
    [['--http', '--read-only'], 0],
  ])('%j selects port %j', (args, port) => {
    expect(read(...args)).toMatchObject({
      name: 'mcp',
      values: { http: port, readOnly: args.join().includes('--read-only') },
    });
  });

  it.each([
    [['--http', '65536'], 'Invalid port "65536": use 0 to 65535.'],
    [['--http=no'], 'Invalid port "no": use 0 to 65535.'],
    [
      ['--http', 'no'],
      'Unexpected argument "no" for mcp. If the path contains spaces, put it in quotes.',
    ],
  ])('%j is rejected', (args, text) => {
    expect(() => read(...args)).toThrow(text);
  });

  it('accepts a token file', () => {
    expect(read('--http', '--http-token-file', 'f')).toMatchObject({
      values: { http: 0, httpTokenFile: 'f' },
    });
  });
});

describe('import --from', () => {
  const import_ = (...args: string[]) =>
    readCommand(['import', 'x', '--vault', 'v', ...args], parseArgs);

  it.each(['savepoint', 'nexus', 'server-memory', 'basic-memory'])('accepts %s', (program) => {
    expect(import_('--from', program)).toMatchObject({
      name: 'import',
      values: { source: 'x', from: program },
    });
  });

  it('is optional, and rejects an unknown program', () => {
    expect(import_()).toMatchObject({ values: { from: undefined } });
    expect(() => import_('--from', 'mem0')).toThrow(
      'Unknown program "mem0". Valid: savepoint, nexus, server-memory, basic-memory.',
    );
  });
});

describe('--toolsets', () => {
  it('is read', () => {
    expect(read('--toolsets', 'storage')).toMatchObject({ values: { toolsets: 'storage' } });
  });
});
