import { setIcon } from 'obsidian';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { WithNames } from '../conversation-names.js';
import type { Savepoint } from '../savepoint.js';
import type { Store } from '../store.js';
import { text } from '../i18n/index.js';
import { useStore } from './use-store.js';

/** A decorative Lucide icon; its meaning must also be in the text next to it. */
export function Icon({ name }: { name: string }) {
  const span = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (span.current) setIcon(span.current, name);
  }, [name]);
  return <span ref={span} class="savepoint-icon" aria-hidden="true" />;
}

interface IconButtonProps {
  icon: string;
  /** Label for the tooltip and screen readers. */
  label: string;
  isActive?: boolean;
  isDisabled?: boolean;
  onClick: (event: MouseEvent) => void;
}

/** Icon button in the app's style. */
export function IconButton({ icon, label, isActive, isDisabled, onClick }: IconButtonProps) {
  const pressed = isActive === undefined ? {} : { 'aria-pressed': isActive };
  return (
    <button
      type="button"
      class={`clickable-icon${isActive ? ' is-active' : ''}`}
      aria-label={label}
      {...pressed}
      disabled={isDisabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

interface EmptyProps {
  icon: string;
  title: string;
  /** Advice on what to do next. */
  children?: ComponentChildren;
  isError?: boolean;
}

/** Empty state that says what is missing, why, and what to do. */
export function Empty({ icon, title, children, isError = false }: EmptyProps) {
  return (
    <div
      class={`savepoint-empty${isError ? ' mod-error' : ''}`}
      role={isError ? 'alert' : undefined}
    >
      <Icon name={icon} />
      <div class="savepoint-empty-title">{title}</div>
      {children !== undefined && <div class="savepoint-empty-text">{children}</div>}
    </div>
  );
}

interface ReadyProps {
  savepoint: Store<Savepoint | undefined>;
  children: (savepoint: Savepoint) => ComponentChildren;
}

/** Renders its children once the memory is read; before that, a loading or error state. */
export function WhenReady({ savepoint, children }: ReadyProps) {
  const opened = useStore(savepoint);
  return opened ? (
    <WhenRead savepoint={opened}>{children}</WhenRead>
  ) : (
    <Empty icon="loader" title={text.general.reading} />
  );
}

function WhenRead({
  savepoint,
  children,
}: {
  savepoint: Savepoint;
  children: ReadyProps['children'];
}) {
  const reading = useStore(savepoint.memoryStatus);
  if (reading.phase === 'ready')
    return <WithNames savepoint={savepoint}>{children(savepoint)}</WithNames>;
  if (reading.phase !== 'failed') return <Empty icon="loader" title={text.general.reading} />;
  return (
    <Empty icon="triangle-alert" title={text.general.readingFailed} isError>
      <p>{reading.error}</p>
      <button type="button" class="mod-cta" onClick={() => void savepoint.start()}>
        {text.general.tryAgain}
      </button>
    </Empty>
  );
}
