/** Kinds of items that a person can forget. */
export const FORGET_KINDS = ['state', 'record', 'conversation', 'trace', 'checkpoint'] as const;

export type ForgetKind = (typeof FORGET_KINDS)[number];
