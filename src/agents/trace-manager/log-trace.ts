import * as z from 'zod';
import { LOGGED_KINDS, traceData, type TraceKind } from '../../model/trace.js';
import { createEntityId } from '../../platform/random.js';
import { renameParams } from '../../toolkit/action-aliases.js';
import type { ActionAlias } from '../../toolkit/define-tool.js';
import { traceOfLogEntry, redactFolders, type SelfTraced } from '../../toolkit/trace.js';
import { filePaths, nonEmptyText } from '../shared/inputs.js';
import { defineTool } from '../services.js';

const MAX_CONTENT_LENGTH = 2000;
const MAX_OUTCOME_LENGTH = 500;
const MAX_FILES = 50;
/** Number of the newest traces to search for a repeated key. A retry comes soon after the first. */
const KEY_LOOKBACK = 200;

/** Returns an alias of the resource `agent`, which logs one kind of trace. */
const agentAlias = (action: string, kind: TraceKind): ActionAlias => ({
  resource: 'agent',
  action,
  convert: (params) => ({ ...renameParams(params, { session_id: 'sessionId' }), kind }),
});

const tool = defineTool({
  name: 'logTrace',
  title: 'Log trace',
  access: 'write',
  usesWorkspace: () => true,
  action: {
    resource: 'memory',
    name: 'store',
    aliases: [
      {
        action: 'store',
        when: { resource: undefined },
        convert: (params) => renameParams(params, { resource: 'kind' }),
      },
      agentAlias('log_tool', 'tool_call'),
      agentAlias('log_delegation', 'delegation'),
    ],
  },
  description: 'Record what you did or learned outside these tools.',
  input: z.strictObject({
    kind: z.enum(LOGGED_KINDS),
    content: nonEmptyText,
    files: filePaths.default([]),
    outcome: nonEmptyText.optional(),
    pin: z.boolean().optional().describe('Never expires'),
  }),
  failures: {
    tooLong: {
      error: '"{field}" has {count} characters.',
      advice: 'Use at most {limit}, and put longer texts into a note.',
    },
    tooMany: {
      error: '"files" has {count} paths.',
      advice: 'Pass at most {limit}; choose the most important ones.',
    },
  },
  examples: [
    {
      title: 'A lesson from a failing build',
      params: {
        kind: 'error_pattern',
        content: 'The build fails with EMFILE when two watchers run at once.',
        files: ['src/watch.ts'],
        outcome: 'One watcher now, build passes',
      },
    },
    {
      title: 'A lesson that every brief names',
      params: { kind: 'error_pattern', content: 'Never run two watchers.', pin: true },
    },
  ],
  async run({ kind, content, files, outcome = '', pin = false }, call) {
    const { services, workspace, sessionId, defaults, context, key, addNotice, fail } = call;
    const { client } = defaults;
    const { log, random, search, dataFolder } = services;
    for (const [field, text, limit] of [
      ['content', content, MAX_CONTENT_LENGTH],
      ['outcome', outcome, MAX_OUTCOME_LENGTH],
    ] as const)
      if (text.length > limit)
        fail('tooLong', { field, count: String(text.length), limit: String(limit) });
    if (files.length > MAX_FILES)
      fail('tooMany', { count: String(files.length), limit: String(MAX_FILES) });
    const newest = key === undefined ? [] : await log.recentTraces(workspace.id, KEY_LOOKBACK);
    if (newest.some((each) => each.key === key)) return;
    const trace = traceOfLogEntry({
      toolset: 'traceManager',
      tool: 'logTrace',
      workspaceId: workspace.id,
      sessionId,
      client,
      context,
      kind,
      content,
      files,
      outcome,
      key,
    });
    const isUnchanged =
      trace.input === content &&
      trace.outcome === outcome &&
      files.every((path, at) => trace.files?.[at] === path);
    if (!isUnchanged) addNotice('Text that looked like a secret was removed.');
    const skipped = await search.access.skippedFolders();
    const stored = redactFolders(
      trace,
      skipped.filter((folder) => folder !== dataFolder),
    );
    const draft = { e: createEntityId(random), d: traceData(stored) };
    if (pin) await log.write(() => ({ drafts: [{ t: 'pin.new', ...draft }], answer: true }), key);
    await log.writeTrace({ t: 'trace.new', ...draft });
  },
});

export const logTrace: typeof tool & SelfTraced = { ...tool, isSelfTraced: true };
