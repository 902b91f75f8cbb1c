import type { ComponentChildren, RefObject, TargetedKeyboardEvent } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { saverName } from '../../apps/index.js';
import type { ProjectRecord } from '../../model/records/record.js';
import { visibleText } from '../../model/text/visible-text.js';
import { text } from '../i18n/index.js';
import { Icon, IconButton } from '../ui/components.js';
import { exactDate, relativeDate } from '../ui/dates.js';
import { showMenu, type Action } from './menus.js';

interface HeaderProps {
  title: ComponentChildren;
  /** Lets the title label the content below. */
  titleId?: string;
  /** Goes back; undefined if there is nothing to go back to. */
  onBack?: (() => void) | undefined;
  /** Buttons. */
  children?: ComponentChildren;
  /** Content below the title, such as a filter. */
  below?: ComponentChildren;
}

/** A page's fixed header. */
export function Header({ title, titleId, onBack, children, below }: HeaderProps) {
  return (
    <div class="nav-header savepoint-header">
      <div class="savepoint-header-row">
        {onBack && (
          <span class="savepoint-back">
            <IconButton icon="arrow-left" label={text.memoryView.back} onClick={onBack} />
          </span>
        )}
        <h2 class="savepoint-header-title" id={titleId} dir="auto">
          {title}
        </h2>
        <div class="nav-buttons-container">{children}</div>
      </div>
      {below}
    </div>
  );
}

interface MoreProps {
  actions: readonly Action[];
  label?: string;
  icon?: string;
}

/** Button that opens a menu of less common actions. */
export function MoreButton({
  actions,
  label = text.memoryView.more,
  icon = 'ellipsis-vertical',
}: MoreProps) {
  const open = (event: MouseEvent) => {
    const button = event.currentTarget as HTMLElement;
    const { left, bottom } = button.getBoundingClientRect();
    showMenu(actions, { x: left, y: bottom }, button.doc);
  };
  return <IconButton icon={icon} label={label} onClick={open} />;
}

interface FilterProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  onEnter?: () => void;
  /** The list that Arrow Down focuses. */
  listRef: RefObject<HTMLDivElement | null>;
}

/** Search field that filters the list below it. */
export function Filter({ label, value, onChange, onEnter, listRef }: FilterProps) {
  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === 'Escape' && value !== '') onChange('');
    else if (event.key === 'ArrowDown') listRef.current?.focus();
    else if (event.key === 'Enter') onEnter?.();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  const id = useId();
  return (
    <div class="search-input-container">
      <span id={id} class="savepoint-unseen">
        {label}
      </span>
      <input
        type="search"
        dir="auto"
        enterkeyhint="search"
        spellcheck={false}
        placeholder={label}
        aria-labelledby={id}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {value !== '' && (
        <div
          class="search-input-clear-button"
          role="button"
          aria-label={text.memoryView.clear}
          onClick={() => onChange('')}
        />
      )}
    </div>
  );
}

/** A relative date, with the exact date as its tooltip. */
export function Ago({ then, now }: { then: string; now: number }) {
  const { locale } = text;
  return (
    <time dateTime={then} title={exactDate(then, locale)}>
      {relativeDate(then, now, locale)}
    </time>
  );
}

interface RowProps {
  icon: string;
  title: string;
  /** Muted text below the title, separated by dots. */
  meta: readonly ComponentChildren[];
  /** A tag after the title. */
  flair?: string | undefined;
  isExpanded?: boolean | undefined;
  isFailed?: boolean;
  /** True for a row that is less prominent than the others. */
  isQuiet?: boolean;
  /** Content at the end of the row. */
  children?: ComponentChildren;
}

/** Content of a list row: two truncated lines, with markers for invisible characters. */
export function Row({
  icon,
  title,
  meta,
  flair,
  isExpanded,
  isFailed = false,
  isQuiet = false,
  children,
}: RowProps) {
  const parts = meta.filter((part) => part !== undefined && part !== '' && part !== false);
  return (
    <>
      <span class={`savepoint-line-icon${isFailed ? ' mod-error' : ''}`}>
        <Icon
          name={isExpanded === undefined ? icon : isExpanded ? 'chevron-down' : 'chevron-right'}
        />
      </span>
      <span class={`tree-item-inner savepoint-line-text${isQuiet ? ' mod-quiet' : ''}`}>
        <span class="savepoint-line-title">
          <bdi class="savepoint-cut">{visibleText(title)}</bdi>
          {flair !== undefined && <span class="nav-file-tag savepoint-flair">{flair}</span>}
        </span>
        <span class="tree-item-inner-subtext savepoint-cut" dir="auto">
          {parts.map((part, index) => (
            <>
              {index > 0 && ' · '}
              <bdi>{typeof part === 'string' ? visibleText(part) : part}</bdi>
            </>
          ))}
        </span>
      </span>
      {children}
    </>
  );
}

/** Announces its text to screen readers whenever the text changes. */
export function Announcement({ children }: { children: string }) {
  return (
    <div class="savepoint-unseen" role="status" aria-live="polite">
      {children}
    </div>
  );
}

/** A section of a page with a heading; renders nothing if `isEmpty`. */
export function Part({
  title,
  children,
  isEmpty = false,
}: {
  title: string;
  children: ComponentChildren;
  isEmpty?: boolean;
}) {
  if (isEmpty) return null;
  return (
    <section class="savepoint-part">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** Plain text with its line breaks and visible markers, which formats, loads and runs nothing. */
export function PlainText({ children }: { children: string }) {
  return (
    <p class="savepoint-plain" dir="auto">
      {visibleText(children)}
    </p>
  );
}

interface ArticleProps {
  labelledBy: string;
  /** True if the user navigated to the page, so that its start gets the focus. */
  takesFocus: boolean;
  onKeyDown?: (event: TargetedKeyboardEvent<HTMLElement>) => void;
  children: ComponentChildren;
}

/** The text of a page, which scrolls. */
export function Article({ labelledBy, takesFocus, onKeyDown, children }: ArticleProps) {
  const article = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (takesFocus) article.current?.focus({ preventScroll: true });
  }, []);
  return (
    <article
      class="savepoint-scroller savepoint-page"
      ref={article}
      tabIndex={0}
      aria-labelledby={labelledBy}
      onKeyDown={onKeyDown}
    >
      {children}
    </article>
  );
}

/** Says who saved something, when and on which device. */
export function Saved({
  item,
  now,
}: {
  item: Pick<ProjectRecord, 'savedBy' | 'createdAt'>;
  now: number;
}) {
  const { saved, savedBy: savedByLabel, onDevice } = text.memoryView;
  const { savedBy, createdAt } = item;
  return (
    <>
      {savedBy ? savedByLabel : saved} {savedBy && <bdi>{saverName(savedBy)}</bdi>}{' '}
      <Ago then={createdAt} now={now} />
      {savedBy && (
        <>
          {' '}
          {onDevice} <bdi>{savedBy.device}</bdi>
        </>
      )}
    </>
  );
}

/** Button in a row, which does not open the row. The tree keeps the focus. */
export function RowButton({ icon, label, run }: Pick<Action, 'icon' | 'label' | 'run'>) {
  return (
    <div
      class="clickable-icon savepoint-line-button"
      role="button"
      aria-label={label}
      onClick={(event) => {
        event.stopPropagation();
        run();
      }}
    >
      <Icon name={icon} />
    </div>
  );
}
