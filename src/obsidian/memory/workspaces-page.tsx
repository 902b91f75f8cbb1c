import { useId, useMemo, useRef } from 'preact/hooks';
import { DEFAULT_WORKSPACE } from '../../model/memory.js';
import { text } from '../i18n/index.js';
import type { Savepoint } from '../savepoint.js';
import { Empty, Icon, IconButton } from '../ui/components.js';
import { useStore } from '../ui/use-store.js';
import { hasAll, queryParts, workspaceText } from './filter.js';
import type { PageHost } from './host.js';
import { useNow, useTraceEntries } from './hooks.js';
import type { Library, Section } from './library.js';
import { archiveWorkspaceAction, enterWorkspace, showMenu, type Action } from './menus.js';
import { Ago, Announcement, Filter, Header, Row } from './page-parts.js';
import type { TreeRow } from './rows.js';
import type { ListFilter } from './view-state.js';
import { WindowedTree } from './windowed-tree.js';

interface WorkspaceRow extends TreeRow {
  readonly section: Section;
  /** ISO date-time of the last state or call; undefined if there is none. */
  readonly lastUsed: string | undefined;
}

/** All workspaces, including those whose creation has not arrived yet. */
export function WorkspacesPage({ host, library }: { host: PageHost; library: Library }) {
  const { savepoint, view, go, setFilter: choose } = host;
  const { filter, isArchived } = view.workspaces;
  const labels = text.memoryView;
  const titleId = useId();
  const list = useRef<HTMLDivElement>(null);
  const now = useNow(savepoint);
  const rows = useWorkspaceRows(host, library);
  const hasOwn = library.some(({ id }) => id !== DEFAULT_WORKSPACE);
  const open = ({ section }: WorkspaceRow) => go({ workspace: section.id });
  return (
    <>
      <Header
        title={isArchived ? labels.archivedWorkspaces : labels.workspaces}
        titleId={titleId}
        below={
          <Filter
            label={labels.filterWorkspaces}
            value={filter}
            onChange={(value) => choose({ filter: value, isArchived })}
            listRef={list}
          />
        }
      >
        <IconButton
          icon="archive"
          label={labels.showArchived}
          isActive={isArchived}
          onClick={() => choose({ filter, isArchived: !isArchived })}
        />
      </Header>
      <Announcement>{filter === '' ? '' : labels.workspacesFound(rows.length)}</Announcement>
      <WindowedTree
        labelledBy={titleId}
        rows={rows}
        listKey={`${filter}\n${isArchived}`}
        memo={host.memoOf('workspaces')}
        takesFocus={host.takesFocus}
        treeRef={list}
        content={(row) => <WorkspaceRowContent savepoint={savepoint} row={row} now={now} />}
        onOpen={open}
        onToggle={open}
        onMenu={(row, point, doc) => showMenu(rowActions(savepoint, row, open), point, doc)}
        after={<NoRows view={view.workspaces} isEmpty={rows.length === 0} hasOwn={hasOwn} />}
      />
    </>
  );
}

function useWorkspaceRows({ savepoint, view }: PageHost, library: Library): WorkspaceRow[] {
  const { filter, isArchived } = view.workspaces;
  const { value: entries } = useTraceEntries(
    savepoint,
    library.map(({ id }) => id),
  );
  return useMemo(() => {
    const parts = queryParts(filter);
    const shown = library
      .map((section, index) => ({ section, lastUsed: lastUsed(section, entries?.[index]?.[0]?.h) }))
      .filter(({ section }) => isShown(section, parts, isArchived));
    return shown.map((each, index): WorkspaceRow => ({
      ...each,
      key: each.section.id,
      level: 1,
      at: index + 1,
      of: shown.length,
    }));
  }, [library, entries, filter, isArchived]);
}

function rowActions(
  savepoint: Savepoint,
  row: WorkspaceRow,
  open: (row: WorkspaceRow) => void,
): Action[] {
  const { workspace } = row.section;
  const actions = workspace
    ? [enterWorkspace(savepoint, workspace), archiveWorkspaceAction(savepoint, workspace)]
    : [];
  return [
    { icon: 'arrow-right', label: text.memoryView.open, run: () => open(row) },
    ...actions.filter((action) => action !== undefined),
  ];
}

interface RowContentProps {
  savepoint: Savepoint;
  row: WorkspaceRow;
  now: number;
}

function WorkspaceRowContent({ savepoint, row, now }: RowContentProps) {
  const { workspace, states, id } = row.section;
  const labels = text.memoryView;
  const isCurrent = useStore(savepoint.workspaceId) === id;
  const enter = workspace && enterWorkspace(savepoint, workspace);
  return (
    <Row
      icon={workspace ? 'box' : 'folder-x'}
      title={workspace?.displayName ?? labels.missingWorkspace}
      flair={isCurrent ? labels.current : undefined}
      meta={[
        labels.stateCount(states.filter(({ item }) => !item.isArchived).length),
        row.lastUsed === undefined ? labels.neverUsed : <Ago then={row.lastUsed} now={now} />,
        workspace ? workspace.item.description : labels.missingWorkspaceId(id),
      ]}
    >
      {enter && (
        <div
          class="clickable-icon savepoint-line-button"
          role="button"
          aria-label={enter.label}
          onClick={(event) => {
            event.stopPropagation();
            enter.run();
          }}
        >
          <Icon name={enter.icon} />
        </div>
      )}
    </Row>
  );
}

interface NoRowsProps {
  view: ListFilter;
  isEmpty: boolean;
  /** True if the user has created a workspace. */
  hasOwn: boolean;
}

/** Explains an empty list, or how to create the first workspace. */
function NoRows({ view: { filter, isArchived }, isEmpty, hasOwn }: NoRowsProps) {
  const labels = text.memoryView;
  if (filter !== '')
    return isEmpty ? (
      <Empty icon="search" title={labels.noMatch(filter)}>
        {labels.noMatchingWorkspace}
      </Empty>
    ) : null;
  if (isArchived)
    return isEmpty ? (
      <Empty icon="archive" title={labels.noArchivedWorkspace}>
        {labels.noArchivedWorkspaceHelp}
      </Empty>
    ) : null;
  return hasOwn ? null : (
    <Empty icon="box" title={labels.noOwnWorkspace}>
      {labels.noOwnWorkspaceHelp}
    </Empty>
  );
}

function isShown(
  { workspace, id }: Section,
  parts: readonly string[],
  isArchived: boolean,
): boolean {
  if ((workspace?.item.isArchived ?? false) !== isArchived) return false;
  return hasAll(workspace ? workspaceText(workspace) : id, parts);
}

function lastUsed({ states }: Section, lastCall: string | undefined): string | undefined {
  const dates = [states[0]?.item.createdAt, lastCall?.slice(0, 24)].filter(
    (date) => date !== undefined,
  );
  return dates.sort().at(-1);
}
