import { troubleNotices } from '../../agents/trouble-notices.js';
import { currentBrief } from '../../agents/shared/current-brief.js';
import { DEFAULT_BRIEF_TOKENS } from '../../brief/brief.js';
import { RUNNING_HEADING } from '../../brief/session-sections.js';
import { newestState } from '../../model/states/newest-state.js';
import { entityOf } from '../../model/memory.js';
import { PROJECT_PREFIX, readVaultPath } from '../../model/paths.js';
import { openRecords } from '../../model/records/state-context.js';
import { clip } from '../../model/refusal.js';
import { workspaceOf } from '../../model/workspace.js';
import type { ComposedBrief } from '../../node/capture/brief-cache.js';
import { fileStamps, type DeviceSessions } from '../../node/capture/device-sessions.js';
import { createDeviceFiles } from '../../node/provenance/device-files.js';
import { shellQuoted } from '../../node/shell-quoted.js';
import type { ProgramHost } from '../program.js';
import { asTyped } from '../texts/typed-command.js';
import { openVaultLog, type OpenVaultLog } from '../vault-log.js';
import type { LinkedProject } from './linked-session.js';

/** A brief that names a running session holds for this long, because it may end in silence. */
const RUNNING_MS = 60 * 1000;

export interface BriefWish {
  /** Id of a session that began before and reads it. */
  readonly reader?: string;
  /** True to compose what can be told later, too. */
  readonly withRecall?: boolean;
}

/** Composes a workspace's brief. */
export async function composeBrief(
  program: ProgramHost,
  linked: LinkedProject,
  sessions: DeviceSessions,
  wish: BriefWish = {},
): Promise<ComposedBrief> {
  const place = { vault: linked.link.vault, state: linked.stateFolder };
  const open = await openVaultLog(program, { ...place, isReadOnly: true });
  return composeFrom(open, program, linked, sessions, wish).finally(() => open.log.close());
}

/** Dependencies of a brief that shows nothing of the workspace but its name. */
const NOTHING = { stateId: undefined, files: [], fileStamps: [], until: undefined };

function archivedText(name: string, vault: string): string {
  return `The workspace "${clip(name)}", to which this project is linked, is archived, so nothing of it is shown. The user can restore it in Obsidian, or link the project to another one: savepoint link --workspace NAME --vault ${shellQuoted(vault)}`;
}

async function composeFrom(
  open: OpenVaultLog,
  program: ProgramHost,
  { link: { vault, workspaceId }, project }: LinkedProject,
  sessions: DeviceSessions,
  { reader, withRecall = false }: BriefWish,
): Promise<ComposedBrief> {
  const { node } = program;
  const memory = await open.log.memory();
  const workspace = workspaceOf(entityOf(memory, workspaceId));
  if (workspace?.isArchived)
    return { ...NOTHING, text: asTyped(program, archivedText(workspace.name, vault)) };
  const state = newestState(memory, workspaceId)?.item;
  const now = open.clock.now();
  const reminders = openRecords(memory, workspaceId, now)
    .map(({ remindAt = '' }) => Date.parse(remindAt))
    .filter((at) => at > now);
  const files = (state?.activeFiles ?? []).flatMap((path) => {
    if (path.startsWith(PROJECT_PREFIX))
      return node.path.join(project.folder ?? '', path.slice(PROJECT_PREFIX.length));
    const read = readVaultPath(path);
    return 'path' in read ? node.path.join(vault, read.path) : [];
  });
  const stamps = await fileStamps(node, files); // before they are compared
  const own = await sessions.checkpoints(workspaceId, (line) =>
    open.log.forgetting.forgottenOf(line),
  );
  const device = {
    ...createDeviceFiles(node, vault),
    program: 'Savepoint',
    name: () => open.deviceName,
    readSessions: () => Promise.resolve(own),
  };
  const request = { workspaceId, budget: DEFAULT_BRIEF_TOKENS, reader };
  const brief = await currentBrief({ ...open, device }, memory, request, project);
  const trouble = open.log.trouble();
  const notices = troubleNotices(trouble, { access: 'read' }, () => true);
  if (trouble.asked.length > 0) await open.log.forgetting.tell();
  const text = [...notices, brief].join('\n\n');
  // only the process in the background needs it
  const recall = withRecall
    ? await (await import('./compose-recall.js')).composeRecall(program, open, workspaceId, own)
    : undefined;
  const isRunning = text.split('\n').some((line) => line.startsWith(`## ${RUNNING_HEADING}`));
  const until = reminders.reduce(
    (first, at) => Math.min(first, at),
    isRunning || notices.length > 0 ? now + RUNNING_MS : Infinity,
  );
  return {
    text,
    stateId: state?.id,
    files,
    fileStamps: stamps,
    until: until === Infinity ? undefined : until,
    recall,
  };
}
