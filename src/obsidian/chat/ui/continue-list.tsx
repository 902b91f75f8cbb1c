import { useContext, useId, useMemo } from 'preact/hooks';
import { saverName } from '../../../apps/index.js';
import { act } from '../../actions.js';
import { capturedApp, checkpointTitle } from '../../checkpoints/captured-trace.js';
import { continueEntries, type ContinueEntry } from '../../checkpoints/continue-entries.js';
import { NamesContext } from '../../conversation-names.js';
import { text } from '../../i18n/index.js';
import { useAsync, useNow, useLogVersion } from '../../memory/hooks.js';
import { Ago, Row } from '../../memory/page-parts.js';
import { IconButton } from '../../ui/components.js';
import { useStore } from '../../ui/use-store.js';
import type { ConversationHost } from './host.js';

const MAX_ENTRIES = 5;
/** Checkpoints that are read. Several may be of one session. */
const MAX_CHECKPOINTS = 40;

/** The newest states and checkpoints. A click resumes one, or opens its conversation. */
export function ContinueList({ host }: { host: ConversationHost }) {
  const entries = useEntries(host);
  const titleId = useId();
  const now = useNow(host.savepoint);
  if (entries.length === 0) return null;
  return (
    <section class="savepoint-continue" aria-labelledby={titleId}>
      <h3 id={titleId}>{text.capture.continue}</h3>
      <ul>
        {entries.map((entry) => (
          <Entry key={entryKey(entry)} host={host} entry={entry} now={now} />
        ))}
      </ul>
      <button
        type="button"
        class="savepoint-continue-more"
        onClick={() => host.actions.pickStateToResume()}
      >
        {text.capture.allStates}
      </button>
    </section>
  );
}

/** Returns the entries; none until the checkpoints are read, so that no row moves later. */
function useEntries({ savepoint, chat }: ConversationHost): readonly ContinueEntry[] {
  const memory = useStore(savepoint.memory);
  const currentId = useStore(savepoint.workspaceId);
  const conversations = useStore(chat.conversations);
  const version = useLogVersion(savepoint, 'traces');
  const { value: checkpoints, error } = useAsync(
    () => savepoint.services.log.recentCheckpoints(MAX_CHECKPOINTS),
    [savepoint, version],
  );
  return useMemo(() => {
    if (!checkpoints && error === undefined) return [];
    const archived = new Set(
      conversations?.filter(({ isArchived }) => isArchived).map(({ id }) => id),
    );
    const isOffered = (sessionId: string) => !archived.has(sessionId);
    const options = { currentId, limit: MAX_ENTRIES, isOffered };
    return continueEntries(memory, checkpoints ?? [], options);
  }, [memory, checkpoints, error, conversations, currentId]);
}

function entryKey(entry: ContinueEntry): string {
  return entry.kind === 'state' ? entry.state.item.id : `session ${entry.trace.sessionId}`;
}

interface EntryProps {
  readonly host: ConversationHost;
  readonly entry: ContinueEntry;
  /** Milliseconds since 1970. */
  readonly now: number;
}

function Entry({ host, entry, now }: EntryProps) {
  const names = useContext(NamesContext);
  const { actions } = host;
  const { createdAt, workspaceName } = entry;
  const meta = [<Ago then={createdAt} now={now} />, workspaceName];
  if (entry.kind === 'state') {
    const { item, displayName } = entry.state;
    const saver = item.savedBy ? saverName(item.savedBy) : '';
    return (
      <li>
        <button type="button" onClick={() => act(() => actions.resume(entry.state))}>
          <Row icon="flag" title={displayName} meta={[...meta, saver]} />
        </button>
      </li>
    );
  }
  const { trace } = entry;
  const saved = () => host.focusComposer(); // the button is gone
  return (
    <li>
      <button type="button" onClick={() => act(() => actions.resumeCheckpoint(trace))}>
        <Row
          icon="clock"
          title={checkpointTitle(trace, names)}
          flair={text.capture.notSaved}
          meta={[...meta, capturedApp(trace)]}
        />
      </button>
      <IconButton
        icon="bookmark-plus"
        label={text.capture.saveAsState}
        onClick={() => actions.saveCheckpoint(trace, saved)}
      />
    </li>
  );
}
