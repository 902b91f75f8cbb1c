import * as z from 'zod';
import type { JsonObject } from '../../model/event.js';
import type { Memory } from '../../model/memory.js';
import { needPath } from '../../model/records/record.js';
import { existingTitle } from '../shared/inputs.js';
import { recordFailures, requireRecord } from '../shared/records/record-lookups.js';
import { defineTool } from '../services.js';
import {
  createCart,
  createTests,
  decideOnJwt,
  planJwt,
  testsNeedCart,
} from './shared/example-records.js';

export const archiveRecord = defineTool({
  name: 'archiveRecord',
  isUnlisted: true,
  title: 'Archive record',
  access: 'write',
  usesWorkspace: () => true,
  action: {
    resource: 'project',
    name: 'archive',
    aliases: [{ action: 'delete', notice: 'Records are archived, never deleted.' }],
  },
  description: 'Archive a record or remove a dependency.',
  input: z.strictObject({
    resource: z.enum(['phase', 'issue', 'dependency', 'decision']).optional(),
    title: existingTitle.optional(),
    from: existingTitle.optional(),
    to: existingTitle.optional(),
  }),
  failures: {
    ...recordFailures,
    archived: {
      error: 'The {kind} "{title}" is already archived.',
      advice: 'listRecords still shows it with status "all".',
    },
    noDependency: {
      error: '"{from}" does not need "{to}".',
      advice: 'Use listRecords with resource "dependency" to see what needs what.',
    },
    missingField: {
      error: '"{field}" is missing.',
      advice: 'Pass the title of the record to archive, or resource "dependency" with from and to.',
    },
    foreignField: {
      error: '"{field}" does not apply here.',
      advice: 'Pass the title of the record to archive, or resource "dependency" with from and to.',
    },
  },
  examples: [
    {
      title: 'Archive a record that was created by mistake',
      before: [decideOnJwt, planJwt],
      params: { resource: 'issue', title: 'Use JWT' },
    },
    {
      title: 'Remove a dependency',
      before: [createCart, createTests, testsNeedCart],
      params: { resource: 'dependency', from: 'Load tests', to: 'Build the cart' },
    },
  ],
  async run(given, { services: { log }, workspace, key, fail }) {
    const { resource, title, from, to } = given;
    const [wanted, unwanted] =
      resource === 'dependency'
        ? ([['from', 'to'], ['title']] as const)
        : ([['title'], ['from', 'to']] as const);
    const missing = wanted.find((field) => given[field] === undefined);
    const foreign = unwanted.find((field) => given[field] !== undefined);
    if (missing) fail('missingField', { field: missing });
    if (foreign) fail('foreignField', { field: foreign });
    await log.write((memory) => {
      const [e, d] =
        resource === 'dependency' ? removedNeed(memory) : archivedRecord(memory, resource);
      return { drafts: [{ t: 'set', e, d }], answer: undefined };
    }, key);

    function removedNeed(memory: Memory): [string, JsonObject] {
      const needing = requireRecord(memory, workspace.id, from ?? '', fail);
      const needed = requireRecord(memory, workspace.id, to ?? '', fail);
      if (!needing.needs.includes(needed.id))
        fail('noDependency', { from: needing.title, to: needed.title });
      return [needing.id, { [needPath(needed.id)]: null }];
    }

    function archivedRecord(
      memory: Memory,
      kind: 'phase' | 'issue' | 'decision' | undefined,
    ): [string, JsonObject] {
      const record = requireRecord(memory, workspace.id, title ?? '', fail, kind);
      if (record.isArchived) fail('archived', { kind: record.kind, title: record.title });
      return [record.id, { '/isArchived': true }];
    }
  },
});
