import * as z from 'zod';
import { lookupState, type Named } from '../../model/lookup.js';
import { isWithin, type VaultPath } from '../../model/paths.js';
import { shortCommit } from '../../model/states/provenance.js';
import { clip } from '../../model/refusal.js';
import type { State } from '../../model/state.js';
import { saveOutline } from '../shared/example-calls.js';
import { existingName, nonEmptyText } from '../shared/inputs.js';
import { requireState, stateFailures } from '../shared/lookups.js';
import { pathFailures, resolveReadablePath } from '../shared/readable-notes.js';
import { defineTool } from '../services.js';
import { changedLines } from './shared/changed-lines.js';
import { Comparison, type Side } from './shared/comparison.js';

/** Maximum number of paths of each kind in an answer. */
const MAX_PATHS = 150;
const KINDS = ['added', 'changed', 'removed'] as const;

const plan = {
  tool: 'createState',
  params: { ...saveOutline.params, name: 'Plan', activeFiles: ['Plan.md'] },
};
const nextPlan = { ...plan, params: { ...plan.params, name: 'Next plan' } };

export const changesSince = defineTool({
  name: 'changesSince',
  title: 'Changes since',
  access: 'read',
  usesWorkspace: () => true,
  action: {
    resource: 'vcs',
    name: 'since',
    aliases: [{ action: 'compare_branches' }],
  },
  description: 'Compare the files of a state with another point.',
  input: z.strictObject({
    state: existingName,
    to: nonEmptyText.optional().describe('State, commit or branch; default: now'),
    path: nonEmptyText.optional().describe('File: show its changed lines'),
  }),
  output: z.object({
    from: z.object({ state: z.string(), savedAt: z.string(), commit: z.string().optional() }),
    to: z.object({ state: z.string().optional(), commit: z.string().optional() }).optional(),
    comparedBy: z
      .enum(['commit', 'hash'])
      .describe('hash: only the active files of the states were compared'),
    added: z.array(z.string()).optional(),
    changed: z.array(z.string()).optional(),
    removed: z.array(z.string()).optional(),
    unknown: z.array(z.string()).optional().describe('Active files that cannot be compared'),
    lines: z.string().optional().describe('Unified diff of the file'),
  }),
  failures: {
    ...stateFailures,
    unknownTarget: {
      error: '"{to}" is neither a state of this workspace nor a commit.',
      advice: '{reason}Use listStates to see the states, or listCommits to see commits.',
    },
    pathInvalid: {
      ...pathFailures.pathInvalid,
      advice: 'Pass a file or folder in the vault, such as "Projects/Plan.md".',
    },
    excluded: { ...pathFailures.excluded, advice: 'Choose a path in another folder.' },
    nothingRecorded: {
      error: 'Nothing is known about the files of state "{name}".',
      advice:
        '{reason}Compare a state with active files, or one that was saved in a git repository.',
    },
  },
  examples: [
    {
      title: 'A state and now',
      notes: { 'Plan.md': 'Dig.' },
      before: [plan],
      params: { state: 'plan' },
      data: { from: { state: 'Plan' }, comparedBy: 'hash' },
    },
    {
      title: 'Two states',
      before: [plan, nextPlan],
      params: { state: 'plan', to: 'next plan' },
      data: { to: { state: 'Next plan' } },
    },
    {
      title: 'A path outside the vault',
      before: [plan],
      params: { state: 'plan', path: '../secret.md' },
      success: false,
    },
  ],
  async run({ state: name, to: target, path: typed }, call) {
    const { services, memory, workspace, fail, addNotice } = call;
    const state = requireState(memory, workspace.id, name, fail);
    const path = typed === undefined ? undefined : await resolveReadablePath(services, typed, fail);
    const comparison = await Comparison.open(services, workspace, call.defaults.project);
    const from: Side = { state };
    const to = await findTarget();
    const { changes, unknown, comparedBy, reason } = await comparison.compare(state, to);
    const isInPath = (each: VaultPath) => path === undefined || isWithin(each, path);
    if (
      comparedBy === 'hash' &&
      changes.size === 0 &&
      unknown.length === state.item.activeFiles.length
    )
      fail('nothingRecorded', {
        name: state.displayName,
        reason: reason === undefined ? '' : `${reason} `,
      });
    if (reason !== undefined) addNotice(`Only active files were compared. ${reason}`);
    const listed = KINDS.map((kind) => {
      const paths = [...changes].filter(([each, change]) => change === kind && isInPath(each));
      if (paths.length > MAX_PATHS)
        addNotice(
          `Only the first ${MAX_PATHS} of ${paths.length} ${kind} files are listed; pass a folder as path.`,
        );
      return [kind, paths.slice(0, MAX_PATHS).map(([each]) => each)] as const;
    }).filter(([, paths]) => paths.length > 0);
    const change = path === undefined ? undefined : changes.get(path);
    const lines = change && path !== undefined ? await readLines(path, change) : undefined;
    const unknownHere = unknown.filter(isInPath);
    return {
      from: { ...describe(state), savedAt: state.item.createdAt },
      ...('now' in to
        ? {}
        : { to: 'state' in to ? describe(to.state) : { commit: shortCommit(to.commit) } }),
      comparedBy,
      ...Object.fromEntries(listed),
      ...(unknownHere.length > 0 && { unknown: unknownHere.slice(0, MAX_PATHS) }),
      ...(lines !== undefined && { lines }),
    };

    async function findTarget(): Promise<Side> {
      if (target === undefined) return { now: true };
      const found = lookupState(memory, workspace.id, target);
      if ('item' in found) return { state: found.item };
      if ('several' in found) return { state: requireState(memory, workspace.id, target, fail) };
      const { commit, reason } = await comparison.findCommit(target);
      if (commit !== undefined) return { commit };
      return fail('unknownTarget', { to: clip(target), reason: reason ? `${reason} ` : '' });
    }

    async function readLines(file: VaultPath, kind: string): Promise<string | undefined> {
      const none = new Uint8Array();
      const before = kind === 'added' ? none : await comparison.read(from, file);
      const after = kind === 'removed' ? none : await comparison.read(to, file);
      if (!before || !after) {
        addNotice(
          `The changed lines of "${clip(file)}" are not known, because its ${before ? 'new content cannot be read' : 'old content is in no commit'}.`,
        );
        return undefined;
      }
      const result = await changedLines(before, after);
      if ('problem' in result)
        addNotice(`The changed lines of "${clip(file)}" are not shown, because ${result.problem}.`);
      else if (result.isCut) addNotice('Only the first changed lines are shown.');
      return 'lines' in result ? result.lines : undefined;
    }
  },
});

function describe({ item, displayName }: Named<State>) {
  const head = item.git?.head;
  return { state: displayName, ...(head !== undefined && { commit: shortCommit(head) }) };
}
