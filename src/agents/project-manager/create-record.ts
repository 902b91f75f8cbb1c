import * as z from 'zod';
import { findCycle } from '../../model/records/dependencies.js';
import { MAX_TITLE_LENGTH } from '../../model/names.js';
import { allRecords, openRecordTitled, recordById } from '../../model/records/lookup-record.js';
import type { RecordKind } from '../../model/records/record-kinds.js';
import { listedTitle, needPath, recordData } from '../../model/records/record.js';
import { createEntityId } from '../../platform/random.js';
import { openProject, resolveActiveFiles } from '../shared/active-files.js';
import { readDigests } from '../shared/file-digests.js';
import { existingTitle, filePaths, newTitle, nonEmptyText, textList } from '../shared/inputs.js';
import { readSaver } from '../shared/provenance.js';
import { recordFailures, requireLiveRecord } from '../shared/records/record-lookups.js';
import {
  mayReplace,
  mayReplaceOutput,
  OpenDecisions,
} from '../shared/records/related-decisions.js';
import { defineTool } from '../services.js';
import { readReminder, reminderFailures, reminderInput } from './shared/reminder.js';
import { createCart, createLaunch, createTests, testsNeedCart } from './shared/example-records.js';

/** Parameters of each resource. */
const FIELDS = {
  phase: { required: ['title'], optional: ['body', 'files', 'needs', 'remindAt'] },
  issue: {
    required: ['title'],
    optional: ['kind', 'phase', 'body', 'files', 'needs', 'remindAt'],
  },
  decision: { required: ['title'], optional: ['body', 'files', 'needs', 'remindAt', 'replaces'] },
  dependency: { required: ['from', 'to'], optional: [] },
} as const;

export const createRecord = defineTool({
  name: 'createRecord',
  title: 'Record a decision, issue or phase',
  kinds: { params: ['kind', 'resource'], title: 'Record {kind}' },
  access: 'write',
  usesWorkspace: () => true,
  action: { resource: 'project', name: 'create' },
  description: 'Record a decision, issue, phase or dependency (from needs to).',
  input: z.strictObject({
    resource: z.enum(['phase', 'issue', 'dependency', 'decision']),
    title: newTitle.optional().describe(`≤ ${MAX_TITLE_LENGTH} characters`),
    body: nonEmptyText.optional(),
    kind: z.enum(['task', 'question']).optional(),
    phase: existingTitle.optional(),
    needs: textList.optional(),
    files: filePaths.optional(),
    remindAt: reminderInput,
    from: existingTitle.optional(),
    to: existingTitle.optional(),
    replaces: textList.optional(),
  }),
  output: mayReplaceOutput,
  failures: {
    ...recordFailures,
    ...reminderFailures,
    missingField: {
      error: '"{field}" is missing.',
      advice: 'The resource "{resource}" needs {required}.',
    },
    foreignField: {
      error: '"{field}" does not apply to the resource "{resource}".',
      advice: 'Pass only {fields}.',
    },
    titleTaken: {
      error: 'The open {kind} "{title}" already exists.',
      advice: 'Change it with updateRecord, or choose another title.',
    },
    noPhase: {
      error: '"{title}" is a {kind}, not a phase.',
      advice: 'Pass the title of a phase, or create it first.',
    },
    circle: {
      error: 'This dependency would close a circle: {path}.',
      advice: 'Leave it out, or remove one of these dependencies with archiveRecord.',
    },
  },
  examples: [
    {
      title: 'A decision about a file',
      params: {
        resource: 'decision',
        title: 'Use JWT for auth',
        body: 'Cookies do not work in the mobile app.',
        files: ['src/auth.ts'],
        remindAt: '2027-01-15',
      },
    },
    {
      title: 'A decision that replaces one',
      params: { resource: 'decision', title: 'Use JWT for auth', replaces: ['Use cookies'] },
      success: false,
    },
    {
      title: 'A question that belongs to a phase and waits for a task',
      before: [createLaunch, createTests],
      params: {
        resource: 'issue',
        kind: 'question',
        title: 'Is the cart fast enough?',
        phase: 'Launch',
        needs: ['Load tests'],
      },
    },
    {
      title: 'A dependency between two tasks',
      before: [createCart, createTests],
      params: { resource: 'dependency', from: 'Load tests', to: 'Build the cart' },
    },
    {
      title: 'A dependency that would close a circle',
      before: [createCart, createTests, testsNeedCart],
      params: { resource: 'dependency', from: 'Build the cart', to: 'Load tests' },
      error:
        'This dependency would close a circle: "Build the cart" needs "Load tests", "Load tests" needs "Build the cart". Leave it out, or remove one of these dependencies with archiveRecord.',
    },
  ],
  async run(given, call) {
    const { services, workspace, key, fail } = call;
    const { log, random } = services;
    checkFields();
    if (given.resource === 'dependency') return addDependency(given.from ?? '', given.to ?? '');
    const kind: RecordKind = given.resource === 'issue' ? (given.kind ?? 'task') : given.resource;
    const { title = '', body } = given;
    const project = openProject(services, call.defaults.project);
    const paths = await resolveActiveFiles(services, call.defaults.project, given.files ?? []);
    const files = await readDigests(
      { ...services, project },
      paths,
      title.length + (body?.length ?? 0),
    );
    const remindAt = readReminder(given.remindAt, fail);
    const id = createEntityId(random);
    let suggested: ReturnType<typeof mayReplace>;
    await log.write((memory) => {
      if (openRecordTitled(memory, workspace.id, kind, title)) fail('titleTaken', { kind, title });
      const need = (ref: string) => requireLiveRecord(memory, workspace.id, ref, fail);
      const phase = given.phase === undefined ? undefined : need(given.phase);
      if (phase && phase.kind !== 'phase')
        fail('noPhase', { title: phase.title, kind: phase.kind });
      const needs = [...new Set((given.needs ?? []).map((ref) => need(ref).id))];
      const replaced = (given.replaces ?? []).map((ref) =>
        requireLiveRecord(memory, workspace.id, ref, fail, 'decision'),
      );
      if (kind === 'decision') {
        const place = { workspaceId: workspace.id, session: call.sessionId, replaced };
        const others = new OpenDecisions(allRecords(memory, workspace.id), place);
        suggested = mayReplace(others, [{ id, title }], workspace.name);
      }
      const content = { kind, title, body, phaseId: phase?.id, needs };
      const d = recordData(workspace.id, content, {
        by: readSaver(call),
        files: { ...Object.fromEntries(paths.map((path) => [path, null])), ...files },
      });
      const created = { t: 'record.new', e: id, d };
      const reminder = { t: 'set', e: id, d: { '/remindAt': remindAt ?? null } };
      const marks = replaced.map((old) => ({ t: 'set', e: old.id, d: { '/supersededBy': id } }));
      const drafts = [created, ...(remindAt === undefined ? [] : [reminder]), ...marks];
      return { drafts, answer: id };
    }, key);
    if (suggested) call.suggestCall(suggested.call);
    return suggested?.answer;

    function checkFields(): void {
      const { required, optional } = FIELDS[given.resource];
      const known: readonly string[] = ['resource', ...required, ...optional];
      const missing = required.find((field) => given[field as keyof typeof given] === undefined);
      const foreign = Object.keys(given).find((field) => !known.includes(field));
      const { resource } = given;
      if (missing)
        fail('missingField', { field: missing, resource, required: required.join(' and ') });
      if (foreign !== undefined)
        fail('foreignField', {
          field: foreign,
          resource,
          fields: [...required, ...optional].join(', '),
        });
    }

    async function addDependency(fromRef: string, toRef: string): Promise<void> {
      await log.write((memory) => {
        const [from, to] = [fromRef, toRef].map((ref) =>
          requireLiveRecord(memory, workspace.id, ref, fail),
        );
        if (!from || !to || from.needs.includes(to.id)) return { drafts: [], answer: undefined };
        const circle = findCycle(from, to, (id) => recordById(memory, id));
        if (circle) {
          const name = (at: number) => `"${listedTitle(circle[at % circle.length]!)}"`;
          const path = circle.map((_, at) => `${name(at)} needs ${name(at + 1)}`).join(', ');
          fail('circle', { path });
        }
        const d = { [needPath(to.id)]: true };
        return { drafts: [{ t: 'set', e: from.id, d }], answer: undefined };
      }, key);
    }
  },
});
