import { isText, objectsIn } from '../../model/text/json-fields.js';
import { isSessionState, type SessionState } from '../../toolkit/sessions.js';
import type { NodeModules } from '../modules.js';
import { createJsonFile } from '../ports/json-file.js';

const FILE_NAME = 'sessions.json';
const MAX_SESSIONS = 200;

/**
 * Returns the file with the sessions that commands have named, because each command is its own
 * process. `folder` is outside the vault, for this device's data about it.
 */
export function createSessionFile(node: NodeModules, folder: string) {
  const file = createJsonFile(node, node.path.join(folder, FILE_NAME));
  return {
    async read(sessionId: string): Promise<SessionState | undefined> {
      return sessionsIn(await file.read()).find(({ id }) => id === sessionId)?.state;
    },
    /** Stores the state of a session. Programs that do so at the same time wait for each other. */
    async save(sessionId: string, state: SessionState): Promise<void> {
      await file.update((stored) => {
        const others = sessionsIn(stored).filter(({ id }) => id !== sessionId);
        return [...others, { id: sessionId, state }].slice(-MAX_SESSIONS);
      });
    },
  };
}

/** Returns the sessions, the one stored last at the end. A damaged file counts as empty. */
function sessionsIn(stored: unknown) {
  return objectsIn(stored).flatMap(({ id, state }) =>
    isText(id) && isSessionState(state) ? [{ id, state }] : [],
  );
}
