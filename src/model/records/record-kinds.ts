export const RECORD_KINDS = ['decision', 'question', 'task', 'phase'] as const;

export type RecordKind = (typeof RECORD_KINDS)[number];

export const RECORD_STATUSES = ['open', 'done', 'dropped'] as const;

export type RecordStatus = (typeof RECORD_STATUSES)[number];

export function isRecordKind(value: unknown): value is RecordKind {
  return RECORD_KINDS.some((kind) => kind === value);
}

export function isRecordStatus(value: unknown): value is RecordStatus {
  return RECORD_STATUSES.some((status) => status === value);
}

/** Kinds that the user can create. Phases are left to agents, which plan in them. */
export const NEW_RECORD_KINDS = ['decision', 'question', 'task'] as const;
