import { text } from '../i18n/index.js';
import { Empty } from '../ui/components.js';
import type { Search } from './search-everything.js';

interface AfterRowsProps {
  query: string;
  isArchived: boolean;
  searched: Search | undefined;
  matching: number;
  hasStates: boolean;
  searchNow: () => void;
}

/** Explains why there are no rows or no more rows, and what to do next. Appears below the rows or instead of them. */
export function AfterRows({
  query,
  isArchived,
  searched,
  matching,
  hasStates,
  searchNow,
}: AfterRowsProps) {
  const labels = text.memoryView;
  if (searched?.phase === 'searching') return <Empty icon="loader" title={labels.searching} />;
  if (searched?.phase === 'failed')
    return (
      <Empty icon="triangle-alert" title={labels.searchFailed} isError>
        {searched.error}
      </Empty>
    );
  if (searched)
    return searched.hits.length > 0 ? null : (
      <Empty icon="search" title={labels.foundNothing(query)}>
        {labels.foundNothingHelp}
      </Empty>
    );
  const button = (
    <button type="button" onClick={searchNow}>
      {labels.searchEverything}
    </button>
  );
  if (query !== '' && matching > 0)
    return (
      <div class="savepoint-after">
        {button}
        <p>{labels.searchEverythingHint}</p>
      </div>
    );
  if (query !== '')
    return (
      <Empty icon="search" title={labels.noMatch(query)}>
        <p>{labels.noMatchingState}</p>
        {button}
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
        {labels.noStatesHelp}
      </Empty>
    );
  return null;
}
