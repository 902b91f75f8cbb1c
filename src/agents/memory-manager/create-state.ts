import * as z from 'zod';
import { isNameTaken, lookupState } from '../../model/lookup.js';
import { effectOf, entityOf, type Memory } from '../../model/memory.js';
import { allRecords, isOpenRecord, recordById } from '../../model/records/lookup-record.js';
import { canonicalStateText, stateData, stateOf } from '../../model/state.js';
import { clip } from '../../model/refusal.js';
import { earlierStates } from '../../model/states/pieces.js';
import { createEntityId } from '../../platform/random.js';
import { sha256 } from '../../platform/sha256.js';
import { resolveActiveFiles } from '../shared/active-files.js';
import { readProvenance } from '../shared/provenance.js';
import { stateFailures } from '../shared/lookups.js';
import { continuedStateId } from './shared/continued-state.js';
import { lastCheckpoint, withCheckpoint } from './shared/last-checkpoint.js';
import { saveOutline } from '../shared/example-calls.js';
import {
  filePaths,
  newName,
  newTitle,
  newTitles,
  nonEmptyText,
  textList,
} from '../shared/inputs.js';
import { recordFailures, requireLiveRecord } from '../shared/records/record-lookups.js';
import {
  mayReplace,
  mayReplaceOutput,
  nearestTo,
  OpenDecisions,
} from '../shared/records/related-decisions.js';
import {
  stateRecordDrafts,
  type RecordOrigin,
  type StateRecordTitles,
} from '../shared/records/state-records.js';
import { defineTool } from '../services.js';

/** Length of a state as JSON above which the answer advises shorter ones. */
const LONG_STATE_CHARACTERS = 16_000;

const replacement = {
  name: 'Auth with JWT',
  conversationContext: 'Mobile apps have no cookies.',
  activeTask: 'Sign in',
  activeFiles: [],
  nextSteps: [],
  decisions: ['Sign tokens with RSA'],
  replaces: ['Use cookies'],
};

export const createState = defineTool({
  name: 'createState',
  title: 'Save state',
  access: 'write',
  usesWorkspace: () => true,
  action: { resource: 'state', name: 'create' },
  description:
    'Save the current state of the work so another conversation can resume it. A saved state is immutable.',
  input: z.strictObject({
    name: newName.describe('Unique in the workspace, ≤ 200 characters'),
    conversationContext: nonEmptyText.describe(
      'What the other fields do not say: what failed, reasons, numbers, what must not be touched, what was promised to whom by when; dates in full',
    ),
    activeTask: nonEmptyText,
    activeFiles: filePaths.describe('Vault or project paths'),
    nextSteps: textList,
    description: nonEmptyText.optional().describe('One line for lists'),
    tags: textList.optional(),
    decisions: newTitles.optional(),
    questions: z.array(newTitle).optional(),
    continues: z
      .string()
      .optional()
      .describe('State of the same work; default: last loaded or saved, "" for new work'),
    replaces: textList.optional().describe('Decisions that no longer hold'),
    fromCheckpoint: z.boolean().optional().describe("Add the last checkpoint's facts"),
  }),
  output: mayReplaceOutput,
  failures: {
    ...stateFailures,
    ...recordFailures,
    nothingReplaces: {
      error: '"replaces" needs a decision that holds instead.',
      advice: 'Pass it in decisions.',
    },
    noCheckpoint: {
      error: 'The workspace "{workspace}" has no checkpoint.',
      advice: 'Leave fromCheckpoint out. Checkpoints come from sessions in a linked project.',
    },
    linkUnconfirmed: {
      error:
        'The checkpoint of "{workspace}" cannot be added, because the link of this project to it is not confirmed.',
      advice: 'Leave fromCheckpoint out, or ask the user to link this folder (savepoint link).',
    },
    workspaceUnclear: {
      error:
        'This state would be saved in "{workspace}", but "{other}" could not be created or loaded before.',
      advice: 'Pass the right one as workspaceId in the context; if it is unclear, ask the user.',
    },
    nameArchived: {
      error: 'State "{name}" already exists and is archived.',
      advice:
        'Only the user can restore it, in Savepoint. Use a unique name like "{name}-v2" or "{name}-{month}".',
    },
    nameTaken: {
      error: 'State "{name}" already exists.',
      advice: 'States are immutable - use a unique name like "{name}-v2" or "{name}-{month}".',
    },
  },
  examples: [
    {
      title: 'Save before the conversation ends',
      params: {
        name: 'Auth Module Progress',
        conversationContext: 'We decided on JWT tokens for auth and set up the basic structure.',
        activeTask: 'Implementing token refresh logic',
        activeFiles: ['src/auth/jwt.ts', 'src/auth/middleware.ts'],
        nextSteps: ['Add refresh token endpoint', 'Test token expiration', 'Add logout flow'],
        description: 'JWT in place, refresh open',
        tags: ['auth', 'in-progress'],
        decisions: ['Use JWT for auth'],
        questions: ['How long may a token live?'],
      },
    },
    {
      title: 'Continue a state whose name is misspelt',
      before: [saveOutline],
      params: {
        name: 'Outline, chapter two',
        conversationContext: 'Chapter two has three sections now.',
        activeTask: 'Outline chapter two',
        activeFiles: [],
        nextSteps: ['Draft chapter two'],
        continues: 'Outlime',
      },
      error:
        'State "Outlime" not found. Use listStates to see available states. Did you mean "Outline"?',
    },
    {
      title: 'Replace a decision',
      before: [
        {
          tool: 'createState',
          params: {
            name: 'Auth Module Progress',
            conversationContext: 'We decided on cookies.',
            activeTask: 'Sign in',
            activeFiles: [],
            nextSteps: [],
            decisions: ['Use cookies'],
          },
        },
      ],
      params: replacement,
    },
    {
      title: 'Replace a decision that does not exist',
      params: replacement,
      success: false,
    },
    {
      title: 'Ask for the facts of the last session where none was captured',
      params: {
        name: 'After the crash',
        conversationContext: 'The last session ended in a crash.',
        activeTask: 'Implementing token refresh logic',
        activeFiles: [],
        nextSteps: [],
        fromCheckpoint: true,
      },
      success: false,
    },
  ],
  async run(given, call) {
    const { continues, fromCheckpoint = false, ...described } = given;
    const { services, workspace, failedWorkspace, key, fail, addNotice, suggestCall, stateSaved } =
      call;
    if (failedWorkspace !== undefined) {
      const names = { workspace: workspace.name, other: failedWorkspace };
      // a missing file never blocks saving
      if (!services.log.trouble().lacksLines) fail('workspaceUnclear', names);
      addNotice(
        `Saved in "${clip(names.workspace)}": "${clip(names.other)}" is not known here, or not yet.`,
      );
    }
    if (fromCheckpoint && call.isClaimed) fail('linkUnconfirmed', { workspace: workspace.name });
    const { log, clock, random } = services;
    const checkpoint = fromCheckpoint ? await lastCheckpoint(log, workspace.id) : undefined;
    if (fromCheckpoint && !checkpoint) fail('noCheckpoint', { workspace: workspace.name });
    const full = checkpoint ? withCheckpoint(described, checkpoint) : described;
    const { project } = call.defaults;
    const activeFiles = await resolveActiveFiles(services, project, full.activeFiles);
    const content = { ...full, activeFiles };
    const text = canonicalStateText(content);
    const bytes = new TextEncoder().encode(text);
    const hash = services.device.sha256 ?? sha256;
    const sha = await hash(bytes);
    const provenance = await readProvenance(call, content.activeFiles, bytes.length);
    let suggested: ReturnType<typeof mayReplace>;
    const id = await log.write((memory) => {
      const month = new Date(clock.now()).toISOString().slice(0, 7);
      if (isNameTaken(memory, workspace.id, content.name)) {
        const found = lookupState(memory, workspace.id, content.name);
        const isArchived = 'item' in found && found.item.item.isArchived;
        fail(isArchived ? 'nameArchived' : 'nameTaken', { name: content.name, month });
      }
      const continued = continuedStateId(
        memory,
        workspace.id,
        { given: continues, last: call.lastState, content },
        fail,
      );
      const data = stateData(workspace.id, content, sha, { ...provenance, continues: continued });
      const draft = { t: 'state.new', e: createEntityId(random), d: data };
      const records = draftRecords(memory, given, {
        place: { workspaceId: workspace.id, stateId: draft.e, by: provenance.by, random },
        workspaceName: workspace.name,
        continued,
        fail,
      });
      suggested = records.suggested;
      return { drafts: [draft, ...records.drafts], answer: draft.e };
    }, key);
    const stateId = id ?? savedStateId(await log.memory(), key);
    if (stateId !== undefined) stateSaved(stateId);
    if (suggested) suggestCall(suggested.call);
    if (workspace.isArchived)
      addNotice(
        `The workspace "${workspace.name}" is archived, so lists leave it out. Name another workspace, or use updateWorkspace with name "${workspace.name}" and isArchived false to restore it.`,
      );
    if (text.length > LONG_STATE_CHARACTERS)
      addNotice(
        `The state is saved, but it has ${text.length} characters. Clients show only the start of a long answer: stay below ${LONG_STATE_CHARACTERS}, and put details into notes listed in activeFiles.`,
      );
    return suggested?.answer;
  },
});

/** Returns the id of the state that an earlier call with this key saved, alone or with records. */
function savedStateId(memory: Memory, key: string | undefined): string | undefined {
  const id = effectOf(memory, key);
  return recordById(memory, id)?.stateId ?? id;
}

interface RecordsOf {
  readonly place: RecordOrigin;
  readonly workspaceName: string;
  /** Id of the state that the new one continues. */
  readonly continued: string | undefined;
  readonly fail: (
    failure: keyof typeof recordFailures | 'nothingReplaces',
    values?: Record<string, string>,
  ) => never;
}

/** Drafts a state's records and the marks of those that they replace. */
function draftRecords(
  memory: Memory,
  { replaces, ...titles }: StateRecordTitles & { readonly replaces?: string[] | undefined },
  { place, workspaceName, continued, fail }: RecordsOf,
) {
  const { workspaceId, by } = place;
  const open = allRecords(memory, workspaceId).filter(isOpenRecord);
  const records = { ...stateRecordDrafts(open, titles, place), suggested: undefined };
  const replaced = (replaces ?? []).map((title) =>
    requireLiveRecord(memory, workspaceId, title, fail, 'decision'),
  );
  const added = records.added.filter(({ kind }) => kind === 'decision');
  if (replaced.length > 0 && added.length === 0) fail('nothingReplaces');
  if (added.length === 0) return records;
  const last = stateOf(entityOf(memory, continued ?? ''));
  const work = last ? [last, ...earlierStates(memory, last).map(({ item }) => item)] : [];
  const others = new OpenDecisions(open, {
    workspaceId,
    session: by.session,
    work: new Set(work.map(({ id }) => id)),
    replaced,
  });
  const marks = replaced.map(({ id: e, title }) => {
    return { t: 'set', e, d: { '/supersededBy': nearestTo(title, added) } };
  });
  return {
    drafts: [...records.drafts, ...marks],
    // who says what is replaced has looked
    suggested: replaces ? undefined : mayReplace(others, added, workspaceName),
  };
}
