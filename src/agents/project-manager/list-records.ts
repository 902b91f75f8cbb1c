import * as z from 'zod';
import { pathMoves } from '../../model/moves/path-moves.js';
import { isReady } from '../../model/records/dependencies.js';
import { allRecords, isOpenRecord, recordById } from '../../model/records/lookup-record.js';
import { RECORD_STATUSES, type RecordKind } from '../../model/records/record-kinds.js';
import type { ProjectRecord } from '../../model/records/record.js';
import { nonEmptyText } from '../shared/inputs.js';
import { pageInput, takePage } from '../shared/page.js';
import { comparablePath, filesOfRecord, shareFile } from '../shared/records/mentioned-files.js';
import { KINDS_OF_RESOURCE } from '../shared/records/record-lookups.js';
import { recordRow, toRecordRow } from '../shared/records/record-rows.js';
import { defineTool } from '../services.js';
import {
  createCart,
  createTests,
  decideOnCookies,
  testsNeedCart,
} from './shared/example-records.js';

const cartIsDone = {
  tool: 'updateRecord',
  params: { title: 'Build the cart', status: 'done' },
};

export const listRecords = defineTool({
  name: 'listRecords',
  title: 'List records',
  access: 'read',
  usesWorkspace: () => true,
  action: { resource: 'project', name: 'list' },
  description: 'List records, newest first.',
  input: z.strictObject({
    resource: z.enum(['phase', 'issue', 'dependency', 'decision']).optional(),
    status: z.enum([...RECORD_STATUSES, 'all']).default('open'),
    ready: z.boolean().default(false).describe('All needs are done'),
    file: nonEmptyText.optional(),
    ...pageInput,
  }),
  output: z.array(recordRow),
  failures: {
    unknownPage: {
      error: 'There is no record "{after}" to continue after.',
      advice: 'Pass the value of more.after from the page before, or leave it out.',
    },
  },
  examples: [
    {
      title: 'What can be started now',
      before: [createCart, createTests, testsNeedCart],
      params: { ready: true },
      data: [{ kind: 'task', title: 'Build the cart' }],
    },
    {
      title: 'What depends on something else',
      before: [createCart, createTests, testsNeedCart],
      params: { resource: 'dependency' },
      data: [
        {
          kind: 'task',
          title: 'Load tests',
          needs: ['Build the cart'],
          blockedBy: ['Build the cart'],
        },
      ],
    },
    {
      title: 'What is done',
      before: [createCart, createTests, cartIsDone],
      params: { status: 'done' },
      data: [{ kind: 'task', title: 'Build the cart', status: 'done' }],
    },
    {
      title: 'What was decided about a note',
      before: [
        decideOnCookies,
        {
          tool: 'createRecord',
          params: {
            resource: 'decision',
            title: 'Open with the fire',
            files: ['Book/Prologue.md'],
          },
        },
      ],
      params: { file: 'Book/Prologue.md' },
      data: [{ kind: 'decision', title: 'Open with the fire', files: ['Book/Prologue.md'] }],
    },
    {
      title: 'In pages',
      before: [createCart, createTests],
      params: { limit: 1 },
      data: [{ kind: 'task', title: 'Load tests' }],
    },
    {
      title: 'After a record that does not exist',
      params: { after: 'k3v9q2' },
      error:
        'There is no record "k3v9q2" to continue after. Pass the value of more.after from the page before, or leave it out.',
    },
  ],
  run({ resource, status, ready, file, limit, after }, { services, memory, workspace, ...call }) {
    const get = (id: string) => recordById(memory, id);
    const namesAt = file === undefined ? () => [] : pathMoves(memory).namesOf(file);
    const pathsAt = (since: string) => new Set([file ?? '', ...namesAt(since)].map(comparablePath));
    const isListed = (record: ProjectRecord) =>
      isOfResource(record, resource) &&
      hasStatus(record, status) &&
      (!ready || isReady(record, get)) &&
      (file === undefined || shareFile(pathsAt(record.createdAt), filesOfRecord(record)));
    const all = allRecords(memory, workspace.id);
    const listed = all.filter(isListed);
    return takePage({
      items: remaining(),
      total: listed.length,
      limit,
      toRow: (record) => toRecordRow(memory, record, services.clock.now()),
      keyOf: ({ id }) => id,
      addMore: call.addMore,
    });

    function remaining(): ProjectRecord[] {
      if (after === undefined) return listed;
      const position = all.findIndex(({ id }) => id.startsWith(after));
      if (position < 0 || after === '') return call.fail('unknownPage', { after });
      return all.slice(position + 1).filter(isListed);
    }
  },
});

function isOfResource(
  { kind, needs }: ProjectRecord,
  resource: keyof typeof KINDS_OF_RESOURCE | 'dependency' | undefined,
): boolean {
  if (resource === undefined) return true;
  if (resource === 'dependency') return needs.length > 0;
  const kinds: readonly RecordKind[] = KINDS_OF_RESOURCE[resource];
  return kinds.includes(kind);
}

function hasStatus(record: ProjectRecord, status: ProjectRecord['status'] | 'all'): boolean {
  if (status === 'all') return true;
  return status === 'open' ? isOpenRecord(record) : record.status === status && !record.isArchived;
}
