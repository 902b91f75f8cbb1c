import { useId, useMemo, useRef } from 'preact/hooks';
import { DEFAULT_WORKSPACE } from '../../model/memory.js';
import { text } from '../i18n/index.js';
import { Empty, Icon, IconButton } from '../ui/components.js';
import { useStore } from '../ui/use-store.js';
import { hasAll, queryParts, workspaceText } from './filter.js';
import type { PageHost } from './host.js';
import { useNow, useTraceEntries } from './hooks.js';
import type { Library, Section } from './library.js';
import { enterWorkspace, putAwayWorkspace, showMenu, type Deed } from './menus.js';
import { Ago, Announcement, Filter, Header, Row } from './page-parts.js';
import type { TreeRow } from './rows.js';
import { WindowedTree } from './windowed-tree.js';

interface WorkspaceRow extends TreeRow {
  readonly section: Section;
  /** ISO date-time of the last state or call; undefined where there is none. */
  readonly lastUsed: string | undefined;
}

/** All workspaces, those whose name has not arrived among them. */
export function WorkspacesPage({ host, library }: { host: PageHost; library: Library }) {
  const { savepoint, view, go, choose } = host;
  const { filter, isArchived } = view.workspaces;
  const labels = text.memoryView;
  const titleId = useId();
  const list = useRef<HTMLDivElement>(null);
  const now = useNow(savepoint);
  const current = useStore(savepoint.workspaceId);
  const { value: entries } = useTraceEntries(
    savepoint,
    library.map(({ id }) => id),
  );
  const rows = useMemo(() => {
    const sections = library.map((section, index) => ({
      section,
      lastUsed: lastUsed(section, entries?.[index]?.[0]?.h),
    }));
    const shown = sections.filter(({ section }) =>
      isShown(section, queryParts(filter), isArchived),
    );
    return shown.map((each, index): WorkspaceRow => ({
      ...each,
      key: each.section.id,
      level: 1,
      at: index + 1,
      of: shown.length,
    }));
  }, [library, entries, filter, isArchived]);
  const hasOwn = library.some(({ id }) => id !== DEFAULT_WORKSPACE);

  const deedsOf = ({ section: { workspace } }: WorkspaceRow): Deed[] =>
    workspace
      ? [enterWorkspace(savepoint, workspace), putAwayWorkspace(savepoint, workspace)].filter(
          (deed) => deed !== undefined,
        )
      : [];
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
        content={({ section, lastUsed: last }) => {
          const { workspace, states, id } = section;
          const enter = workspace && enterWorkspace(savepoint, workspace);
          return (
            <Row
              icon={workspace ? 'box' : 'folder-x'}
              title={workspace?.displayName ?? labels.missingWorkspace}
              flair={id === current ? labels.current : undefined}
              meta={[
                labels.stateCount(states.filter(({ item }) => !item.isArchived).length),
                last === undefined ? labels.neverUsed : <Ago then={last} now={now} />,
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
        }}
        onOpen={open}
        onToggle={open}
        onMenu={(row, point, doc) =>
          showMenu(
            [{ icon: 'arrow-right', label: labels.open, run: () => open(row) }, ...deedsOf(row)],
            point,
            doc,
          )
        }
        after={
          <>
            {rows.length === 0 && filter !== '' && (
              <Empty icon="search" title={labels.noMatch(filter)}>
                {labels.noMatchingWorkspace}
              </Empty>
            )}
            {rows.length === 0 && filter === '' && isArchived && (
              <Empty icon="archive" title={labels.noArchivedWorkspace}>
                {labels.noArchivedWorkspaceHelp}
              </Empty>
            )}
            {!hasOwn && filter === '' && !isArchived && (
              <Empty icon="box" title={labels.noOwnWorkspace}>
                {labels.noOwnWorkspaceHelp}
              </Empty>
            )}
          </>
        }
      />
    </>
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
