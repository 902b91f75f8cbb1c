import type { Toolset } from '../toolkit/toolset.js';

const CANCELLED = 'The call was cancelled before it had done anything.';

/** The toolset for one call: a tool that has not begun when the call is cancelled does not begin. */
export function cancellable<S>(toolset: Toolset<S>, signal: AbortSignal | undefined): Toolset<S> {
  if (!signal) return toolset;
  const { host } = toolset;
  // Who is asked for permission may take long, so the signal is looked at afterwards.
  const refuse: typeof host.refuse = async (tool, client) => (await host.refuse(tool, client)) ?? (signal.aborted ? CANCELLED : undefined);
  return { ...toolset, host: { ...host, refuse } };
}
