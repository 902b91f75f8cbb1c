/**
 * A user's decision on a tool call that needs approval: allow it once, for the rest of the session,
 * always, or deny it.
 */
export type ApprovalDecision = 'once' | 'session' | 'always' | 'deny';
