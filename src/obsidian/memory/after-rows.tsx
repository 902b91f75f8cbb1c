import { text } from '../i18n/index.js';
import { Empty } from '../ui/components.js';
import { openModal } from '../ui/modals.js';
import { CreateWorkspaceForm } from './forms/create-workspace.js';
import type { PageHost } from './host.js';

/** Says why there are no rows. */
interface Explanation {
  readonly icon: string;
  readonly title: string;
  readonly help: string;
  /** True if the user can save a state or create a workspace here. */
  readonly isStart?: boolean;
}

interface AfterRowsProps {
  host: PageHost;
  /** The workspace to save a state in; by default the current one. */
  workspaceId?: string | undefined;
  query: string;
  /** Number of rows that match the query. */
  matching: number;
  /** Says what the filter searches. */
  noMatchHelp: string;
  /** Undefined if there are rows. */
  empty: Explanation | undefined;
  /** Searches the whole memory for the query. */
  search: () => void;
}

/** Explains below or instead of the rows why there are no more, and what to do next. */
export function AfterRows({
  host,
  workspaceId,
  query,
  matching,
  noMatchHelp,
  empty,
  search,
}: AfterRowsProps) {
  const labels = text.memoryView;
  const searchButton = (
    <button type="button" onClick={search}>
      {labels.searchEverything}
    </button>
  );
  if (query !== '' && matching > 0)
    return (
      <div class="savepoint-after">
        {searchButton}
        <p>{labels.searchEverythingHint}</p>
      </div>
    );
  if (query !== '')
    return (
      <Empty icon="search" title={labels.noMatch(query)}>
        <p>{noMatchHelp}</p>
        {searchButton}
      </Empty>
    );
  if (!empty) return null;
  return (
    <Empty icon={empty.icon} title={empty.title}>
      <p>{empty.help}</p>
      {empty.isStart && <FirstActions host={host} workspaceId={workspaceId} />}
    </Empty>
  );
}

/** Buttons that save the first state or create a workspace. */
function FirstActions({ host, workspaceId }: Pick<AfterRowsProps, 'host' | 'workspaceId'>) {
  const { savepoint, saveState } = host;
  const { saveState: saveLabel, createWorkspace } = text.commands.names;
  return (
    <p class="savepoint-empty-buttons">
      <button type="button" class="mod-cta" onClick={() => saveState(savepoint, workspaceId)}>
        {saveLabel}
      </button>
      <button type="button" onClick={() => openModal(new CreateWorkspaceForm(savepoint))}>
        {createWorkspace}
      </button>
    </p>
  );
}
