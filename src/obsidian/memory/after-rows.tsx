import { text } from '../i18n/index.js';
import { Empty } from '../ui/components.js';
import { openModal } from '../ui/modals.js';
import { CreateWorkspaceForm } from './forms/create-workspace.js';
import type { PageHost } from './host.js';

interface AfterRowsProps {
  host: PageHost;
  workspaceId: string;
  query: string;
  isArchived: boolean;
  /** Number of states that match the query. */
  matching: number;
  hasStates: boolean;
  /** Searches the whole memory for the query. */
  search: () => void;
}

/** Explains below or instead of the rows why there are no more, and what to do next. */
export function AfterRows({
  host,
  workspaceId,
  query,
  isArchived,
  matching,
  hasStates,
  search,
}: AfterRowsProps) {
  const labels = text.memoryView;
  if (query !== '' && matching > 0)
    return (
      <div class="savepoint-after">
        <SearchButton search={search} />
        <p>{labels.searchEverythingHint}</p>
      </div>
    );
  if (query !== '')
    return (
      <Empty icon="search" title={labels.noMatch(query)}>
        <p>{labels.noMatchingState}</p>
        <SearchButton search={search} />
      </Empty>
    );
  if (isArchived && !hasStates)
    return (
      <Empty icon="archive" title={labels.noArchivedStates}>
        {labels.noArchivedStatesHelp}
      </Empty>
    );
  if (!hasStates)
    return (
      <Empty icon="flag" title={labels.noStates}>
        <p>{labels.noStatesHelp}</p>
        <FirstActions host={host} workspaceId={workspaceId} />
      </Empty>
    );
  return null;
}

interface FirstActionsProps {
  host: PageHost;
  /** The workspace to save a state in; by default the current one. */
  workspaceId?: string;
}

/** Buttons that save the first state or create a workspace. */
export function FirstActions({ host, workspaceId }: FirstActionsProps) {
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

/** Button that searches the whole memory for the text of a filter. */
export function SearchButton({ search }: Pick<AfterRowsProps, 'search'>) {
  return (
    <button type="button" onClick={search}>
      {text.memoryView.searchEverything}
    </button>
  );
}
