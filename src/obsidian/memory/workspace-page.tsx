import { useId, useMemo, useRef, useState } from 'preact/hooks';
import type { TraceEntry } from '../../storage/log.js';
import { act } from '../actions.js';
import { text } from '../i18n/index.js';
import { IconButton } from '../ui/components.js';
import { useStore } from '../ui/use-store.js';
import { AfterRows } from './after-rows.js';
import type { CallReader } from './call-reader.js';
import { CallModal } from './call-modal.js';
import { hasAll, queryParts, stateText } from './filter.js';
import type { PageHost } from './host.js';
import { useCallReader, useNow, useTimeline } from './hooks.js';
import type { Section } from './library.js';
import { copyState, enterWorkspace, putAwayState, putAwayWorkspace, showMenu } from './menus.js';
import { Ago, Announcement, Filter, Header, MoreButton, Row } from './page-parts.js';
import { stateRows, timelineRows, type TimelineRow, type TreeRow } from './rows.js';
import { searchEverything, type Hit, type Search } from './search-everything.js';
import { TimelineRowContent } from './timeline-rows.js';
import { timeOf, type Moment } from './timeline.js';
import { WindowedTree } from './windowed-tree.js';
import { WorkspaceDetails } from './workspace-details.js';
import { openModal } from '../ui/modals.js';

type HitRow = TreeRow & { readonly kind: 'hit'; readonly hit: Hit };
type PageRow = TimelineRow<TraceEntry> | HitRow;

/** A workspace: what it is, and its timeline. */
export function WorkspacePage({ host, section }: { host: PageHost; section: Section }) {
  const { savepoint, view, go, choose } = host;
  const { filter, isArchived } = view.states;
  const { id, workspace, states } = section;
  const labels = text.memoryView;
  const titleId = useId();
  const list = useRef<HTMLDivElement>(null);
  const memo = host.memoOf(`timeline ${id}`);
  const now = useNow(savepoint);
  const isCurrent = useStore(savepoint.workspaceId) === id;
  const reader = useCallReader(savepoint);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const [search, setSearch] = useState<{ query: string; now: Search }>();

  const query = filter.trim();
  const [active, archived] = useMemo(
    () => [
      states.filter(({ item }) => !item.isArchived),
      states.filter(({ item }) => item.isArchived),
    ],
    [states],
  );
  const shown = isArchived ? archived : active;
  const matching = useMemo(() => {
    const parts = queryParts(query);
    return parts.length === 0 ? shown : shown.filter((state) => hasAll(stateText(state), parts));
  }, [shown, query]);
  const isTimeline = query === '' && !isArchived;
  const { moments, error } = useTimeline(savepoint, id, active);
  const searched = search?.query === query ? search.now : undefined;
  const rows = useRows({ searched, isTimeline, matching, moments, expanded, reader });

  const toggle = ({ key }: PageRow) => {
    const next = new Set(expanded);
    if (!next.delete(key)) next.add(key);
    setExpanded(next);
  };
  const open = (row: PageRow) => {
    if (row.kind === 'state') go({ workspace: id, state: row.state.item.id });
    else if (row.kind === 'call') openModal(new CallModal(savepoint.app, row.call));
    else if (row.kind === 'hit') openHit(row.hit);
    else if (row.kind !== 'reading') toggle(row);
  };
  function openHit(hit: Hit): void {
    const state = states.find(
      ({ displayName, item }) => displayName === hit.name && item.createdAt === hit.createdAt,
    );
    if (state) go({ workspace: id, state: state.item.id });
    else if (hit.type === 'trace') showInTimeline(hit);
  }
  /** A call is shown among those that were made before and after it. */
  function showInTimeline({ createdAt }: Hit): void {
    const stretch = moments.find(
      (moment) =>
        moment.kind === 'calls' &&
        moment.calls.entries.some((entry) => timeOf(entry) === Date.parse(createdAt)),
    );
    if (stretch?.kind !== 'calls') return;
    memo.wanted = stretch.calls.key;
    setExpanded(new Set([...expanded, stretch.calls.key]));
    choose({ filter: '', isArchived: false });
    list.current?.focus();
  }
  const searchNow = () =>
    act(async () => {
      if (query === '') return;
      setSearch({ query, now: { phase: 'searching' } });
      setSearch({ query, now: await searchEverything(savepoint, id, query, text.general.fault) });
    });

  const enter = workspace && !isCurrent ? enterWorkspace(savepoint, workspace) : undefined;
  const putAway = workspace && putAwayWorkspace(savepoint, workspace);
  return (
    <>
      <Header
        title={<bdi>{workspace?.displayName ?? labels.missingWorkspace}</bdi>}
        titleId={titleId}
        onBack={host.back}
        below={
          <Filter
            label={labels.filterStates}
            value={filter}
            onChange={(value) => choose({ filter: value, isArchived })}
            onEnter={searchNow}
            listRef={list}
          />
        }
      >
        {enter && <IconButton icon={enter.icon} label={enter.label} onClick={enter.run} />}
        <IconButton
          icon="archive"
          label={labels.showArchived}
          isActive={isArchived}
          onClick={() => choose({ filter, isArchived: !isArchived })}
        />
        {putAway && <MoreButton deeds={[putAway]} />}
      </Header>
      <Announcement>{announcement(query, searched, matching.length)}</Announcement>
      <WindowedTree
        labelledBy={titleId}
        rows={rows}
        listKey={`${query}\n${isArchived}\n${searched?.phase}`}
        memo={memo}
        takesFocus={host.takesFocus}
        treeRef={list}
        before={
          searched?.phase === 'done' && searched.hits.length > 0 ? (
            <p class="savepoint-after">{labels.foundBySearch(query, searched.hits.length)}</p>
          ) : (
            query === '' && (
              <>
                {workspace?.item.isArchived && (
                  <p class="savepoint-banner">{labels.isArchivedWorkspace}</p>
                )}
                {isCurrent && <p class="savepoint-banner mod-quiet">{labels.isCurrent}</p>}
                {workspace ? (
                  <WorkspaceDetails host={host} workspace={workspace.item} />
                ) : (
                  <p class="savepoint-banner">{labels.missingWorkspaceId(id)}</p>
                )}
                {error !== undefined && (
                  <p class="savepoint-banner mod-error">
                    {labels.callsFailed}: {error}
                  </p>
                )}
              </>
            )
          )
        }
        content={(row) =>
          row.kind === 'hit' ? (
            <Row
              icon={row.hit.type === 'state' ? 'flag' : 'terminal'}
              title={row.hit.name ?? row.hit.tool ?? ''}
              meta={[<Ago then={row.hit.createdAt} now={now} />, row.hit.content]}
            />
          ) : (
            <TimelineRowContent row={row} now={now} reader={reader} />
          )
        }
        onOpen={open}
        onToggle={toggle}
        onMenu={(row, point, doc) => {
          if (row.kind !== 'state') return;
          const { state } = row;
          const first = { icon: 'arrow-right', label: labels.open, run: () => open(row) };
          showMenu(
            [first, copyState(savepoint, state), putAwayState(savepoint, state)],
            point,
            doc,
          );
        }}
        after={
          <AfterRows
            {...{ query, isArchived, searched, searchNow }}
            matching={matching.length}
            hasStates={shown.length > 0}
          />
        }
      />
    </>
  );
}

interface RowsOptions {
  searched: Search | undefined;
  isTimeline: boolean;
  matching: Section['states'];
  moments: readonly Moment<TraceEntry>[];
  expanded: ReadonlySet<string>;
  reader: CallReader<TraceEntry>;
}

/** What the search has found, else the timeline, else the states that the filter lets through. */
function useRows({
  searched,
  isTimeline,
  matching,
  moments,
  expanded,
  reader,
}: RowsOptions): readonly PageRow[] {
  const hits = searched?.phase === 'done' ? searched.hits : undefined;
  const plain = useMemo(
    (): PageRow[] => (hits ? hitRows(hits) : stateRows(matching)),
    [hits, matching],
  );
  const version = reader.version();
  const timeline = useMemo(
    () => timelineRows(moments, expanded, (calls) => reader.tracesOf(calls)),
    [moments, expanded, version],
  );
  return isTimeline ? timeline : plain;
}

function hitRows(hits: readonly Hit[]): HitRow[] {
  return hits.map((hit, index) => ({
    kind: 'hit',
    key: `hit ${index}`,
    level: 1,
    at: index + 1,
    of: hits.length,
    hit,
  }));
}

function announcement(query: string, searched: Search | undefined, matching: number): string {
  if (query === '') return '';
  if (searched?.phase === 'searching') return text.memoryView.searching;
  if (searched?.phase === 'done') return text.memoryView.foundBySearch(query, searched.hits.length);
  return text.memoryView.statesFound(matching);
}
