import { useId, useMemo, useRef } from 'preact/hooks';
import { compareText } from '../../model/event.js';
import { DEFAULT_WORKSPACE } from '../../model/memory.js';
import { isDue, isOpenRecord } from '../../model/records/lookup-record.js';
import { text } from '../i18n/index.js';
import { pickStateToForget } from '../pickers/pick-state.js';
import type { Savepoint } from '../savepoint.js';
import { IconButton } from '../ui/components.js';
import { compareNames } from '../ui/natural-order.js';
import { openModal } from '../ui/modals.js';
import { useStore } from '../ui/use-store.js';
import { CreateWorkspaceForm } from './forms/create-workspace.js';
import { hasAll, queryParts, workspaceText } from '../library/filter.js';
import type { PageHost } from './host.js';
import { useNow, useTraceEntries } from './hooks.js';
import type { Library, Section } from '../library/library.js';
import {
  actionOf,
  archiveWorkspaceAction,
  enterWorkspace,
  forgetEarlierAction,
  showMenu,
  type Action,
} from './menus.js';
import { AfterRows } from './after-rows.js';
import { Ago, Announcement, Filter, Header, Row, RowButton } from './page-parts.js';
import { siblings, type TreeRow } from './rows.js';
import { WindowedTree } from './windowed-tree.js';

interface UsedSection {
  readonly section: Section;
  /** ISO date-time of the last state or call; undefined if there is none. */
  readonly lastUsed: string | undefined;
}

type WorkspaceRow = TreeRow & UsedSection;

/** All workspaces, including those whose creation has not arrived yet. */
export function WorkspacesPage({ host, library }: { host: PageHost; library: Library }) {
  const { savepoint, view, go, setFilter: choose } = host;
  const { filter, isArchived } = view.workspaces;
  const labels = text.memoryView;
  const titleId = useId();
  const list = useRef<HTMLDivElement>(null);
  const now = useNow(savepoint);
  const rows = useWorkspaceRows(host, library);
  const hasRows = isArchived ? rows.length > 0 : library.some(({ id }) => id !== DEFAULT_WORKSPACE);
  const open = ({ section }: WorkspaceRow) => go({ workspace: section.id });
  const query = filter.trim();
  const search = () => {
    if (query !== '') host.search(savepoint, query);
  };
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
            onEnter={search}
            listRef={list}
          />
        }
      >
        <IconButton
          icon="plus"
          label={text.commands.names.createWorkspace}
          onClick={() => openModal(new CreateWorkspaceForm(savepoint))}
        />
        {library.some(({ states }) => states.length > 0) && (
          <IconButton
            icon="trash"
            label={text.commands.names.forgetState}
            onClick={() => pickStateToForget(savepoint)}
          />
        )}
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
        after={
          <AfterRows
            host={host}
            query={query}
            search={search}
            matching={rows.length}
            noMatchHelp={labels.noMatchingWorkspace}
            empty={hasRows ? undefined : noWorkspace(isArchived)}
          />
        }
      />
    </>
  );
}

function useWorkspaceRows({ savepoint, view }: PageHost, library: Library): WorkspaceRow[] {
  const { filter, isArchived } = view.workspaces;
  const currentId = useStore(savepoint.deviceWorkspaceId);
  const { value: entries } = useTraceEntries(
    savepoint,
    library.map(({ id }) => id),
  );
  return useMemo(() => {
    const parts = queryParts(filter);
    const shown = library
      .map((section, index) => ({ section, lastUsed: lastUsed(section, entries?.[index]?.[0]?.h) }))
      .filter(({ section }) => isShown(section, parts, isArchived))
      .sort((a, b) => compareWorkspaces(a, b, currentId));
    return siblings(shown, 1, (each, position): WorkspaceRow => ({
      ...each,
      ...position,
      key: each.section.id,
    }));
  }, [library, entries, filter, isArchived, currentId]);
}

function rowActions(
  savepoint: Savepoint,
  row: WorkspaceRow,
  open: (row: WorkspaceRow) => void,
): Action[] {
  const { workspace } = row.section;
  const actions = workspace
    ? [
        enterWorkspace(savepoint, workspace),
        archiveWorkspaceAction(savepoint, workspace),
        forgetEarlierAction(savepoint, workspace),
      ]
    : [];
  return [
    actionOf('arrow-right', text.general.open, () => open(row)),
    ...actions.filter((action) => action !== undefined),
  ];
}

interface RowContentProps {
  savepoint: Savepoint;
  row: WorkspaceRow;
  now: number;
}

function WorkspaceRowContent({ savepoint, row, now }: RowContentProps) {
  const { workspace, states, records, id } = row.section;
  const labels = text.memoryView;
  const isCurrent = useStore(savepoint.deviceWorkspaceId) === id;
  const enter = workspace && enterWorkspace(savepoint, workspace);
  const due = records.filter((record) => isOpenRecord(record) && isDue(record, now)).length;
  return (
    <Row
      icon={workspace ? 'box' : 'folder-x'}
      title={workspace?.displayName ?? labels.missingWorkspace}
      flair={isCurrent ? text.commands.pick.current : undefined}
      meta={[
        due > 0 && text.records.dueCount(due),
        labels.stateCount(states.filter(({ item }) => !item.isArchived).length),
        row.lastUsed === undefined ? labels.neverUsed : <Ago then={row.lastUsed} now={now} />,
        workspace ? workspace.item.description : labels.missingWorkspaceId(id),
      ]}
    >
      {enter && <RowButton {...enter} />}
    </Row>
  );
}

function noWorkspace(isArchived: boolean) {
  const labels = text.memoryView;
  return isArchived
    ? { icon: 'archive', title: labels.noArchivedWorkspace, help: labels.noArchivedWorkspaceHelp }
    : { icon: 'box', title: labels.noOwnWorkspace, help: labels.noOwnWorkspaceHelp, isStart: true };
}

function isShown(
  { workspace, id }: Section,
  parts: readonly string[],
  isArchived: boolean,
): boolean {
  if ((workspace?.item.isArchived ?? false) !== isArchived) return false;
  return hasAll(workspace ? workspaceText(workspace) : id, parts);
}

/** Orders the device's workspace first, then by last use, then by name. */
function compareWorkspaces(a: UsedSection, b: UsedSection, currentId: string): number {
  const isCurrent = ({ section }: UsedSection) => section.id === currentId;
  const nameOf = ({ section }: UsedSection) => section.workspace?.displayName ?? '';
  return (
    Number(isCurrent(b)) - Number(isCurrent(a)) ||
    compareText(b.lastUsed ?? '', a.lastUsed ?? '') ||
    compareNames(nameOf(a), nameOf(b))
  );
}

function lastUsed({ states }: Section, lastCall: string | undefined): string | undefined {
  const dates = [states[0]?.item.createdAt, lastCall?.slice(0, 24)].filter(
    (date) => date !== undefined,
  );
  return dates.sort().at(-1);
}
