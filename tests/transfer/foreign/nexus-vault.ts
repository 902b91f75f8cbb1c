import type { JsonObject } from '../../../src/model/event.js';
import type { ForeignFile } from '../../../src/transfer/foreign/foreign-memory.js';

/** A line of a Nexus stream, with its keys in the order of Nexus. */
export interface NexusLine {
  readonly stream: string;
  readonly text: string;
  readonly id: string;
}

const encoder = new TextEncoder();
let events = 0;

/** Returns a Nexus event. Streams are `workspaces/<id>`, `conversations/<id>` and `tasks/<id>`. */
export function nexusLine(stream: string, timestamp: number, fields: JsonObject): NexusLine {
  const id = `event-${++events}`;
  return { stream, id, text: JSON.stringify({ ...fields, id, deviceId: 'device-1', timestamp }) };
}

export const workspaceCreated = (id: string, at: number, data: JsonObject = {}) =>
  nexusLine(`workspaces/${id}`, at, {
    type: 'workspace_created',
    data: { id, name: `Workspace ${id}`, rootFolder: '/', created: at, ...data },
  });

export const workspaceUpdated = (workspaceId: string, at: number, data: JsonObject) =>
  nexusLine(`workspaces/${workspaceId}`, at, { type: 'workspace_updated', workspaceId, data });

export const workspaceDeleted = (workspaceId: string, at: number) =>
  nexusLine(`workspaces/${workspaceId}`, at, { type: 'workspace_deleted', workspaceId });

/** Returns a state as Nexus saves it: the content, a copy of the workspace, and metadata. */
export function savedState(
  id: string,
  workspaceId: string,
  context: JsonObject,
  metadata: JsonObject = {},
): JsonObject {
  return {
    id,
    name: `State ${id}`,
    workspaceId,
    created: 1,
    sessionId: '_workspace',
    timestamp: 1,
    context: { workspaceContext: { purpose: 'a copy' }, ...context },
    state: {
      workspace: { id: workspaceId, name: 'a copy' },
      recentTraces: [],
      contextFiles: [],
      metadata: {
        createdBy: 'CreateStateMode',
        version: '2.0.0',
        creationMethod: 'manual',
        ...metadata,
      },
    },
  };
}

export const CONTEXT = {
  conversationContext: 'We spoke',
  activeTask: 'Go on',
  activeFiles: ['a.md'],
  nextSteps: ['First', 'Then'],
};

export const stateSaved = (
  id: string,
  workspaceId: string,
  at: number,
  context: JsonObject = CONTEXT,
  more: JsonObject = {},
) =>
  nexusLine(`workspaces/${workspaceId}`, at, {
    type: 'state_saved',
    workspaceId,
    sessionId: '_workspace',
    data: {
      id,
      name: `State ${id}`,
      created: at,
      stateJson: JSON.stringify(savedState(id, workspaceId, context)),
      ...more,
    },
  });

export const stateUpdated = (stateId: string, workspaceId: string, at: number, data: JsonObject) =>
  nexusLine(`workspaces/${workspaceId}`, at, {
    type: 'state_updated',
    workspaceId,
    sessionId: '_workspace',
    stateId,
    data,
  });

export const stateDeleted = (stateId: string, workspaceId: string, at: number) =>
  nexusLine(`workspaces/${workspaceId}`, at, {
    type: 'state_deleted',
    workspaceId,
    sessionId: '_workspace',
    stateId,
  });

export const traceAdded = (
  id: string,
  workspaceId: string,
  at: number,
  metadata: JsonObject = {},
  sessionId = 'session-1',
) =>
  nexusLine(`workspaces/${workspaceId}`, at, {
    type: 'trace_added',
    workspaceId,
    sessionId,
    data: {
      id,
      content: `Did ${id}`,
      traceType: 'tool_call',
      metadataJson: JSON.stringify(metadata),
    },
  });

export const conversationBegun = (id: string, at: number, settings: JsonObject = {}) =>
  nexusLine(`conversations/${id}`, at, {
    type: 'metadata',
    data: { id, title: `Chat ${id}`, created: at, vault: 'V', settings },
  });

export const conversationUpdated = (conversationId: string, at: number, data: JsonObject) =>
  nexusLine(`conversations/${conversationId}`, at, {
    type: 'conversation_updated',
    conversationId,
    data,
  });

export const messageAdded = (id: string, conversationId: string, at: number, data: JsonObject) =>
  nexusLine(`conversations/${conversationId}`, at, {
    type: 'message',
    conversationId,
    data: { id, state: 'complete', ...data },
  });

export const messageUpdated = (
  messageId: string,
  conversationId: string,
  at: number,
  data: JsonObject,
) =>
  nexusLine(`conversations/${conversationId}`, at, {
    type: 'message_updated',
    conversationId,
    messageId,
    data,
  });

/** Distributes lines like Nexus: a folder per stream, with shards of `linesInShard` lines. */
export function shardsOf(lines: readonly NexusLine[], linesInShard = 1000): ForeignFile[] {
  const streams = new Map<string, string[]>();
  for (const { stream, text } of lines) streams.set(stream, [...(streams.get(stream) ?? []), text]);
  return [...streams].flatMap(([stream, texts]) =>
    Array.from({ length: Math.ceil(texts.length / linesInShard) }, (_, index) =>
      fileOf(
        `${stream}/shard-${String(index + 1).padStart(6, '0')}.jsonl`,
        texts
          .slice(index * linesInShard, (index + 1) * linesInShard)
          .map((text) => `${text}\n`)
          .join(''),
      ),
    ),
  );
}

export function fileOf(
  name: string,
  content: string | Uint8Array,
  more: Partial<ForeignFile> = {},
): ForeignFile {
  return { name, bytes: typeof content === 'string' ? encoder.encode(content) : content, ...more };
}
