import { compareText, isJsonObject, type JsonObject } from '../../../model/event.js';
import { objectIn, textIn } from '../../../model/text/json-fields.js';
import type { Scheduler } from '../../../platform/scheduler.js';
import { traceOfCall, redactFolders } from '../../../toolkit/trace.js';
import { addLeftOut, type ForeignTrace, type ReadStats } from '../foreign-memory.js';
import { isEmptyValue, parseObject } from '../json-values.js';
import type { NexusEvent } from './nexus-events.js';

export async function readNexusTraces(
  events: readonly NexusEvent[],
  excludedFolders: readonly string[],
  stats: ReadStats,
  scheduler: Scheduler,
): Promise<ForeignTrace[]> {
  const traces = new Map<string, ForeignTrace>();
  for (const { value, data, at, location } of events) {
    await scheduler.yieldIfDue();
    const key = textIn(data, 'id');
    if (key === undefined) addLeftOut(stats, 'orphans');
    else
      traces.set(key, {
        key,
        at,
        location,
        workspace: textIn(value, 'workspaceId') ?? '',
        trace: redactFolders(traceOfCall(callIn(value, data)), excludedFolders),
      });
  }
  return [...traces.values()].sort(
    (a, b) => (a.at ?? 0) - (b.at ?? 0) || compareText(a.key, b.key),
  );
}

/** Returns a trace's tool call; the trace's text becomes its first parameter, `content`. */
function callIn(value: JsonObject, data: JsonObject): Parameters<typeof traceOfCall>[0] {
  const metadataJson = textIn(data, 'metadataJson') ?? '';
  const metadata = parseObject(metadataJson);
  const tool = objectIn(metadata, 'tool');
  const context = objectIn(metadata, 'context');
  const outcome = objectIn(metadata, 'outcome');
  const { arguments: given, ...input } = objectIn(metadata, 'input') ?? {};
  const params = given ?? objectIn(metadata, 'legacy')?.['params'] ?? metadata?.['params'];
  const content = textIn(data, 'content') ?? '';
  const error = textIn(objectIn(outcome, 'error'), 'message');
  const memory = textIn(context, 'memory') ?? textIn(context, 'sessionMemory');
  const goal =
    textIn(context, 'goal') ??
    [textIn(context, 'primaryGoal'), textIn(context, 'subgoal')].filter(Boolean).join(' - ');
  const constraints = textIn(context, 'constraints');
  return {
    workspaceId: '',
    client: undefined,
    toolset: textIn(tool, 'agent') ?? '',
    tool: textIn(tool, 'mode') ?? textIn(metadata, 'tool') ?? textIn(data, 'traceType') ?? 'note',
    sessionId: textIn(value, 'sessionId') ?? '',
    params: {
      ...(content !== '' && { content }),
      ...(isJsonObject(params) ? params : params !== undefined && { params }),
      ...Object.fromEntries(Object.entries(input).filter(([, each]) => !isEmptyValue(each))),
      ...(!metadata && metadataJson !== '' && { metadata: metadataJson }),
    },
    context: {
      ...(memory && { memory }),
      ...(goal && { goal }),
      ...(constraints && { constraints }),
    },
    answer: { success: outcome?.['success'] !== false, ...(error !== undefined && { error }) },
  };
}
