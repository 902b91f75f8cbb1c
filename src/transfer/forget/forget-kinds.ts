/** Of a workspace, only its earlier texts can be forgotten. */
export const FORGET_KINDS = [
  'state',
  'record',
  'conversation',
  'trace',
  'checkpoint',
  'workspace',
] as const;

export type ForgetKind = (typeof FORGET_KINDS)[number];
