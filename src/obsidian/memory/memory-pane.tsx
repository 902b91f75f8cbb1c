import type { HoverParent } from 'obsidian';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Savepoint } from '../savepoint.js';
import { workText, type LongWorks } from '../long-work.js';
import type { Store, WritableStore } from '../store.js';
import { text } from '../i18n/index.js';
import { Empty, WhenReady } from '../ui/components.js';
import { openModal } from '../ui/modals.js';
import { useStore } from '../ui/use-store.js';
import { ComparisonPage } from './comparison-page.js';
import type { PageHost, MemoryActions } from './host.js';
import { useLibrary } from './hooks.js';
import { stateIn, type Library } from '../library/library.js';
import { Header } from './page-parts.js';
import { RecordPage } from './records/record-page.js';
import { StatePage } from './state-page.js';
import {
  goTo,
  placeBefore,
  placeKey,
  type ListFilter,
  type MemoryPlace,
  type ViewState,
} from './view-state.js';
import { createListMemo, type ListMemo } from './use-row-window.js';
import { WorkspacePage } from './workspace-page.js';
import { WorkspacesPage } from './workspaces-page.js';

interface PaneProps {
  savepoint: Store<Savepoint | undefined>;
  view: WritableStore<ViewState>;
  /** True until the content has taken the focus. */
  wantsFocus: WritableStore<boolean>;
  hoverParent: HoverParent;
  help: MemoryActions;
}

/** The memory view's content, including its loading and error states. */
export function MemoryPane({ savepoint, ...props }: PaneProps) {
  return (
    <WhenReady savepoint={savepoint}>
      {(opened) => <Pages savepoint={opened} {...props} />}
    </WhenReady>
  );
}

/** Focuses a page's list or text, else its first button. */
function focusContent(page: HTMLElement): void {
  const found = ['.savepoint-tree', '.savepoint-page', '.savepoint-empty button', 'button']
    .map((selector) => page.querySelector<HTMLElement>(selector))
    .find((element) => element !== null);
  found?.focus({ preventScroll: true });
}

function Pages({
  savepoint,
  view,
  wantsFocus,
  hoverParent,
  help,
}: { savepoint: Savepoint } & Omit<PaneProps, 'savepoint'>) {
  const library = useLibrary(savepoint);
  const shown = useStore(view);
  const memos = useRef(new Map<string, ListMemo>());
  const key = placeKey(shown.place);
  const first = useRef<string | undefined>(key);
  // The first page does not take the focus.
  useLayoutEffect(() => {
    if (first.current !== key) first.current = undefined;
  }, [key]);
  const isFocusWanted = useStore(wantsFocus);
  const pages = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isFocusWanted || !pages.current || view.get() !== shown) return;
    focusContent(pages.current);
    wantsFocus.set(false);
  });
  if (!library) return <Empty icon="loader" title={text.general.reading} />;

  const before = placeBefore(shown.place);
  const go = (place: MemoryPlace) => view.set(goTo(view.get(), place));
  const back = before && (() => go(before));
  const host: PageHost = {
    savepoint,
    hoverParent,
    view: shown,
    go,
    back,
    ...help,
    setFilter(choice: ListFilter) {
      const now = view.get();
      view.set(
        now.place.workspace === undefined
          ? { ...now, workspaces: choice }
          : { ...now, states: choice },
      );
    },
    takesFocus: first.current !== key,
    memoOf(list) {
      const memo = memos.current.get(list) ?? createListMemo();
      memos.current.set(list, memo);
      return memo;
    },
  };

  function onKeyDown(event: KeyboardEvent): void {
    const isBack = event.key === 'Escape' || (event.key === 'ArrowLeft' && event.altKey);
    if (!isBack || !back || event.defaultPrevented || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    back();
  }

  return (
    <div class="savepoint-pages" ref={pages} onKeyDown={onKeyDown}>
      <WorkRows works={savepoint.work} />
      <Page key={key} host={host} library={library} />
    </div>
  );
}

/** The work that goes on, also where there is no status bar. */
function WorkRows({ works }: { works: LongWorks }) {
  return useStore(works).map(({ stop, window, ...work }) => (
    <div class="savepoint-running" key={work.title}>
      <span>{workText(work)}</span>
      {window && <button onClick={() => openModal(window)}>{text.general.open}</button>}
      {stop && <button onClick={() => stop()}>{text.general.stop}</button>}
    </div>
  ));
}

/** The page for the view's current place. */
function Page({ host, library }: { host: PageHost; library: Library }) {
  const { workspace, state, other, record } = host.view.place;
  const labels = text.memoryView;
  if (workspace === undefined) return <WorkspacesPage host={host} library={library} />;
  const section = library.find(({ id }) => id === workspace);
  if (!section) return <Gone host={host} title={labels.workspaceGone} />;
  if (record !== undefined) {
    const shown = section.records.find(({ id }) => id === record);
    if (!shown) return <Gone host={host} title={text.records.gone} />;
    return <RecordPage host={host} section={section} record={shown} />;
  }
  if (state === undefined) return <WorkspacePage host={host} section={section} />;
  const found = stateIn(section, state);
  const foundOther = other === undefined ? undefined : stateIn(section, other);
  if (!found || (other !== undefined && !foundOther))
    return <Gone host={host} title={labels.stateGone} />;
  if (foundOther) return <ComparisonPage host={host} states={[found, foundOther]} />;
  return <StatePage host={host} section={section} state={found} />;
}

function Gone({ host, title }: { host: PageHost; title: string }) {
  return (
    <>
      <Header title={text.memoryView.title} onBack={host.back} />
      <Empty icon="search-x" title={title}>
        {text.memoryView.goneHelp}
      </Empty>
    </>
  );
}
