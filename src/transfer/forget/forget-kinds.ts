/** Kinds of items that a person can forget. Of a workspace, only its earlier texts are. */
export const FORGET_KINDS = [
  'state',
  'record',
  'conversation',
  'trace',
  'checkpoint',
  'workspace',
] as const;

export type ForgetKind = (typeof FORGET_KINDS)[number];
