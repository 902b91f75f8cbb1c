/** A user's decision on a tool call; `session` allows it for the rest of the session. */
export type ApprovalDecision = 'once' | 'session' | 'always' | 'deny';
