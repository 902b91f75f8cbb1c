import * as z from 'zod';
import { isStoredOutside, PROJECT_PREFIX, shownPath, toVaultPath } from '../../../model/paths.js';
import { recordedDigest } from '../../../model/states/provenance.js';
import { clip } from '../../../model/refusal.js';
import type { State } from '../../../model/state.js';
import { visibleText } from '../../../model/text/visible-text.js';
import { jsonLength } from '../../../toolkit/answer-limit.js';
import type { ClientProject } from '../../../toolkit/context-defaults.js';
import type { Services } from '../../services.js';
import { projectAccess } from '../../shared/active-files.js';
import { compareFiles, type FileChange } from '../../shared/file-changes.js';
import { findMovedFiles, type GoneFile } from './moved-files.js';

/** Room for each list of files, in characters as JSON. */
const MAX_LIST_CHARACTERS = 3000;
/** Maximum number of folders that the line on unseen files names. */
const MAX_FOLDERS_NAMED = 3;
const MAX_FOLDER_LENGTH = 60;

/** Changes of a state's files, as `loadState` returns them. */
export const fileSummaryOutput = {
  changedFiles: z
    .array(
      z.object({
        path: z.string(),
        change: z.enum(['created', 'modified', 'moved', 'removed']),
        to: z.string().optional(),
        sampled: z.literal(true).optional(),
        byTime: z.literal(true).optional().describe('By time, as no content is recorded'),
      }),
    )
    .optional(),
  otherFiles: z.string().optional().describe('Those that cannot be seen from here'),
  sampledFiles: z
    .array(z.string())
    .optional()
    .describe('Over 1 MB; size and samples are unchanged'),
};

type FileSummary = z.output<z.ZodObject<typeof fileSummaryOutput>>;
type ChangedFile = NonNullable<FileSummary['changedFiles']>[number];

/** Returns how a state's files have changed since, and how many cannot be seen from here. */
export async function summarizeFiles(
  services: Services,
  project: ClientProject | undefined,
  state: State,
): Promise<FileSummary> {
  const { changes, sampledFiles } = await compareFiles(
    projectAccess(services, project, state),
    state,
  );
  const show = (path: string) => visibleText(shownPath(path, state.projectName));
  const gone = changes.flatMap((change) => goneFile(state, change) ?? []);
  const moved = await findMovedFiles(
    services,
    gone.filter(({ path }) => !isStoredOutside(path)),
  );
  const isGone = new Set(gone.map(({ path }) => path));
  const changed: ChangedFile[] = renamedFiles(state).map(([path, to]) => ({
    path: show(path),
    change: 'moved',
    to: show(to),
  }));
  const unseen: string[] = [];
  for (const { path, change, ...how } of changes) {
    if (isGone.has(path)) {
      const to = moved.get(path);
      const isMoved = to !== undefined;
      changed.push({
        path: show(path),
        ...(isMoved ? { change: 'moved', to } : { change: 'removed' }),
      });
    } else if (change === 'created' || change === 'modified')
      changed.push({ path: show(path), change, ...how });
    else unseen.push(path);
  }
  const listed = fitting(changed);
  const sampled = fitting(sampledFiles.map(show));
  const more = changed.length - listed.length;
  const others = [
    ...unseenPhrases(unseen, state.projectName),
    ...(more > 0 ? [`${more} more changed`] : []),
  ];
  return {
    ...(listed.length > 0 && { changedFiles: listed }),
    ...(others.length > 0 && { otherFiles: others.join('; ') }),
    ...(sampled.length > 0 && { sampledFiles: sampled }),
  };
}

/** Returns pairs of the path with which an active file was saved and its current one. */
function renamedFiles({ activeFiles, savedFiles = activeFiles }: State): [string, string][] {
  return savedFiles.flatMap((path, at): [string, string][] => {
    const now = activeFiles[at];
    return now === undefined || now === path ? [] : [[path, now]];
  });
}

/** Returns the content that a missing file had when the state was saved. */
function goneFile({ files }: State, { path, change }: FileChange): GoneFile | undefined {
  const digest = change === 'missing' ? recordedDigest(files, path) : undefined;
  return digest ? { path, digest } : undefined;
}

/** Says how many files are in the state's project, missing in the vault, or outside both. */
function unseenPhrases(paths: readonly string[], projectName: string | undefined): string[] {
  const inProject = paths.filter((path) => path.startsWith(PROJECT_PREFIX));
  const others = paths.filter((path) => !inProject.includes(path));
  const outside = others.filter((path) => toVaultPath(path) === undefined);
  const missing = others.filter((path) => !outside.includes(path));
  const folders = [...new Set(missing.flatMap((path) => path.split('/').slice(0, -1)[0] ?? []))];
  const named = folders
    .slice(0, MAX_FOLDERS_NAMED)
    .map((folder) => clip(folder, MAX_FOLDER_LENGTH))
    .join(', ');
  const project = projectName === undefined ? 'another project' : `the project ${projectName}`;
  return [
    ...(inProject.length > 0 ? [`${inProject.length} in ${project}`] : []),
    ...(missing.length > 0
      ? [`${missing.length} not in this vault${named === '' ? '' : ` (${named})`}`]
      : []),
    ...(outside.length > 0 ? [`${outside.length} outside the vault`] : []),
  ];
}

/** Returns as many of the rows as have room. */
function fitting<Row>(rows: readonly Row[]): Row[] {
  let room = MAX_LIST_CHARACTERS;
  const end = rows.findIndex((row) => (room -= jsonLength(row) + 1) < 0);
  return end < 0 ? [...rows] : rows.slice(0, end);
}
