import type { ComposedBrief } from '../../node/capture/brief-cache.js';
import type { ProgramHost } from '../program.js';
import type { HookInput } from './hook-input.js';
import type { LinkedSession } from './linked-session.js';

/**
 * Returns the brief. `session` is the id of one that began before, to show its own work.
 * `withRecall`: also stores what can be told later.
 */
export async function readSessionBrief(
  program: ProgramHost,
  linked: LinkedSession,
  { session = '', withRecall = false } = {},
): Promise<Omit<ComposedBrief, 'recall'>> {
  const { readBrief } = await import('../../node/capture/brief-cache.js');
  const { node, version } = program;
  const { link, stateFolder, project } = linked;
  const reader = { ...link, stateFolder, project, version, session, withRecall };
  return readBrief(node, reader, async (sessions) => {
    const { composeBrief } = await import('./compose-brief.js');
    return composeBrief(program, linked, sessions, { reader: session, withRecall });
  });
}

/** Returns false if states or records have changed since what can be told was stored. */
export async function hasCurrentRecall(
  node: ProgramHost['node'],
  { link, stateFolder, project }: LinkedSession,
): Promise<boolean> {
  const { briefFiles, readStoredRecall, stampOfRecall } =
    await import('../../node/capture/brief-cache.js');
  const { recall } = briefFiles(node, { ...link, stateFolder, project });
  const { stamp } = await readStoredRecall(node, recall);
  return stamp === (await stampOfRecall(node, link.vault));
}

/** After a compaction, and in some apps when it is resumed, a session lacks what it was told. */
export async function forgetTold(
  { node }: ProgramHost,
  { link, stateFolder, project }: LinkedSession,
  client: string,
  { session }: HookInput,
): Promise<void> {
  const { briefFiles } = await import('../../node/capture/brief-cache.js');
  const { createToldItems } = await import('../../node/capture/told-items.js');
  const { told } = briefFiles(node, { ...link, stateFolder, project });
  await createToldItems(node, told, [client, session]).clear();
}
