import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { traceData } from '../../src/model/trace.js';
import { dayOf, segmentPath } from '../../src/storage/format/lanes.js';
import { CHAIN_START } from '../../src/storage/format/line-hash.js';
import { encodeLine, type EncodedLine } from '../../src/storage/format/line.js';
import { counted, inFolder, perForm, timeOf, type Figure } from './lib.js';
import { openVault, TOOLKIT } from './vault.js';

export const question = 'Does the first loadWorkspace of a process read all traces?';
export const measures = TOOLKIT;

const WRITERS = perForm(200, 5);
const DAYS = perForm(50, 3);
const TRACES_PER_SEGMENT = 100;
const TRACES = WRITERS * DAYS * TRACES_PER_SEGMENT;
const DAY_MS = 24 * 60 * 60 * 1000;

export function answer(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const vault = path.join(folder, 'vault');
    await writeTraces(vault);
    const first = await firstCall(vault, path.join(folder, 'first'), 'loadWorkspace');
    const whole = await firstCall(vault, path.join(folder, 'whole'), 'timeline');
    const among = `among ${counted(TRACES)} traces of ${WRITERS} writers`;
    return [
      { what: `first loadWorkspace ${among}`, value: first, unit: ' ms' },
      { what: 'first timeline, which reads all traces', value: whole, unit: ' ms' },
      {
        what: 'first loadWorkspace, as a share of that',
        value: first / whole,
        limit: 0.2,
        isHighlighted: true,
      },
    ];
  });
}

async function firstCall(vault: string, state: string, tool: string): Promise<number> {
  const { call, close } = openVault(vault, state);
  await call('listWorkspaces', {});
  const params = tool === 'timeline' ? {} : { name: 'Default' };
  const ms = await timeOf(() => call(tool, params));
  await close();
  return ms;
}

async function writeTraces(vault: string): Promise<void> {
  const today = Date.now();
  for (let day = 0; day < DAYS; day++) {
    const time = today - day * DAY_MS;
    await fs.mkdir(
      path.dirname(path.join(vault, segmentPath('Savepoint', 'trace', dayOf(time), 'x', 1))),
      { recursive: true },
    );
    for (let at = 0; at < WRITERS; at++) {
      const writer = createHash('sha256')
        .update(`${day} ${at}`)
        .digest('hex')
        .slice(0, 12)
        .replace(/[01]/g, '2');
      const file = path.join(vault, segmentPath('Savepoint', 'trace', dayOf(time), writer, 1));
      await fs.writeFile(file, segmentOf(time, writer));
    }
  }
}

function segmentOf(time: number, writer: string): Buffer {
  const lines: EncodedLine[] = [];
  for (let n = 1; n <= TRACES_PER_SEGMENT; n++) {
    const d = traceData({
      workspaceId: 'default',
      sessionId: writer,
      toolset: 'MemoryManager',
      tool: 'loadState',
      input: `{"name":"State ${n}"}`,
      outcome: 'ok',
      isSuccess: true,
    });
    const h = `${new Date(time + n).toISOString()}.0000`;
    const p = lines.at(-1)?.hash ?? CHAIN_START;
    const e = `${writer}${String(n).padStart(4, '2').replace(/[01]/g, '2')}`;
    lines.push(encodeLine({ v: 1, w: writer, n, p, h, t: 'trace.new', e, d }));
  }
  return Buffer.concat(lines.map((line) => line.bytes));
}
