import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { alternatives, leafBelow, pathTo, type Thread } from '../../../chat/thread.js';
import type { PanelState } from '../../../chat/panel.js';
import type { PendingMessage } from '../talk.js';
import { text } from '../../i18n/index.js';
import { Icon } from '../../ui/components.js';
import { useStore } from '../../ui/use-store.js';
import { CallCard } from './call-card.js';
import { useSelected } from './hooks.js';
import type { TalkHost } from './host.js';
import { StreamedMarkdown } from './markdown.js';
import { MessageRow, Part, Reasoning } from './message.js';

/** So many messages are in the page at first. */
const FIRST = 30;
/** And so many more each time that an end of them is reached. */
const MORE = 60;
/** Who is nearer to the end than this many pixels is kept at the end. */
const AT_END = 60;

interface ListProps {
  readonly host: TalkHost;
  readonly thread: Thread;
  /** The message to show first. */
  readonly wanted: string | undefined;
  /** The id of what names the list: a label of its own would hang over it as a tooltip. */
  readonly labelledBy: string;
  /** What stands where nothing has been said. */
  readonly empty: ComponentChildren;
}

/** The messages of the branch that is shown, of which a part is in the page, and what is being said now. */
export function MessageList({ host, thread, wanted, labelledBy, empty }: ListProps) {
  const { talk } = host;
  const leafId = useSelected(talk.panel, (panel) => panel.leafId);
  const phase = useSelected(talk.panel, (panel) => panel.phase);
  const failure = useSelected(talk.panel, (panel) => panel.failure);
  const pending = useStore(talk.pending);
  const path = pathTo(thread, leafId);
  const newest = path.at(-1);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(wanted === undefined && path.length > 0);
  const last = useRef({ top: 0, height: 0 });
  const heightBefore = useRef<number | undefined>(undefined);
  const [range, setRange] = useState<{ from: number; to: number | undefined }>(() =>
    rangeFor(path, wanted),
  );
  const retryAt = useRetryTime(host, failure);

  const to = Math.min(range.to ?? path.length, path.length);
  const from = Math.max(
    0,
    Math.min(range.to === undefined ? Math.min(range.from, to - 1) : range.from, to),
  );
  const shown = path.slice(from, to);
  const isBusy = phase !== 'idle' || pending !== undefined;
  const isBranching =
    newest !== undefined &&
    pending === undefined &&
    phase === 'idle' &&
    leafBelow(thread, newest.id) !== newest.id;

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || wanted === undefined) return;
    setRange(rangeFor(path, wanted));
    isAtEnd.current = false;
  }, [wanted]);

  useLayoutEffect(() => {
    if (wanted === undefined) return;
    const row = content.current?.querySelector<HTMLElement>(
      `[data-message="${CSS.escape(wanted)}"]`,
    );
    row?.scrollIntoView({ block: 'center' });
    row?.focus({ preventScroll: true });
  }, [wanted, from]);

  // What was in sight stays there when earlier messages come in above it.
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || heightBefore.current === undefined) return;
    box.scrollTop += box.scrollHeight - heightBefore.current;
    heightBefore.current = undefined;
  }, [from]);

  // Who sends something wants to see it.
  useLayoutEffect(() => {
    if (!pending) return;
    isAtEnd.current = true;
    if (range.to !== undefined) setRange(rangeFor(path, undefined));
    toEnd(scroller.current);
  }, [pending]);

  useLayoutEffect(() => {
    const [box, inner] = [scroller.current, content.current];
    if (!box || !inner) return;
    if (isAtEnd.current) toEnd(box);
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) toEnd(box);
    });
    observer.observe(inner);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);

  const onScroll = () => {
    const box = scroller.current;
    if (!box) return;
    const isNear =
      range.to === undefined && box.scrollHeight - box.scrollTop - box.clientHeight < AT_END;
    const { top, height } = last.current;
    // What grows or shrinks moves the end too: only who goes up wants to stay there.
    if (isNear) isAtEnd.current = true;
    else if ((box.scrollTop < top && box.scrollHeight === height) || range.to !== undefined)
      isAtEnd.current = false;
    last.current = { top: box.scrollTop, height: box.scrollHeight };
  };
  const goUp = () => {
    isAtEnd.current = false;
  };
  const earlier = () => {
    heightBefore.current = scroller.current?.scrollHeight;
    isAtEnd.current = false;
    setRange({ from: Math.max(0, from - MORE), to: range.to });
  };
  const later = () => setRange({ from, to: to + MORE >= path.length ? undefined : to + MORE });

  return (
    <div
      class="savepoint-scroller savepoint-messages"
      ref={scroller}
      tabIndex={0}
      role="log"
      aria-live="off"
      aria-labelledby={labelledBy}
      onScroll={onScroll}
      onWheel={({ deltaY }) => {
        if (deltaY < 0) goUp();
      }}
      onTouchMove={goUp}
      onKeyDown={({ key }) => {
        if (key === 'PageUp' || key === 'ArrowUp' || key === 'Home') goUp();
      }}
    >
      <div ref={content} class="savepoint-message-list">
        {path.length === 0 && !isBusy && empty}
        {from > 0 && (
          <MoreMessages label={text.chat.earlier} scroller={scroller} onReach={earlier} />
        )}
        {shown.map((message) => (
          <MessageRow
            key={message.id}
            host={host}
            message={message}
            siblings={alternatives(thread, message)}
            isLast={message === newest}
            isBusy={isBusy}
            isMarked={message.id === wanted}
            retryAt={message === newest ? retryAt : undefined}
          />
        ))}
        {to < path.length && (
          <MoreMessages label={text.chat.later} scroller={scroller} onReach={later} />
        )}
        {pending && to === path.length && <Pending host={host} pending={pending} />}
        {to === path.length && <LiveStep host={host} />}
        {isBranching && (
          <div class="savepoint-branching">
            <span>{text.chat.branchedHere}</span>
            <button type="button" onClick={() => talk.show(leafBelow(thread, newest.id))}>
              {text.chat.branchEnd}
            </button>
          </div>
        )}
        {failure?.error !== undefined && newest?.error !== failure.error && !isBusy && (
          <div class="savepoint-failure">
            <Icon name="triangle-alert" />
            <div>
              <strong>{text.chat.failed}</strong>
              <p dir="auto">{failure.error}</p>
            </div>
          </div>
        )}
      </div>
    </div>
  );
}

/** The last messages; or those around the one that is wanted. */
function rangeFor(
  path: readonly { readonly id: string }[],
  wanted: string | undefined,
): { from: number; to: number | undefined } {
  const at = wanted === undefined ? -1 : path.findIndex(({ id }) => id === wanted);
  if (at < 0) return { from: Math.max(0, path.length - FIRST), to: undefined };
  const to = at + FIRST / 2;
  return { from: Math.max(0, at - FIRST / 2), to: to >= path.length ? undefined : to };
}

function toEnd(box: HTMLElement | null): void {
  if (box) box.scrollTop = box.scrollHeight;
}

/** When what failed may be tried again, in milliseconds since 1970. */
function useRetryTime(
  { savepoint: { clock } }: TalkHost,
  failure: PanelState['failure'],
): number | undefined {
  const known = useRef<{ failure: PanelState['failure']; at: number | undefined }>({
    failure: undefined,
    at: undefined,
  });
  if (known.current.failure !== failure)
    known.current = {
      failure,
      at: failure?.retryAfter === undefined ? undefined : clock.now() + failure.retryAfter,
    };
  return known.current.at;
}

interface MoreProps {
  readonly label: string;
  readonly scroller: { readonly current: HTMLDivElement | null };
  readonly onReach: () => void;
}

/** Brings in more when it comes into sight, or is pressed. */
function MoreMessages({ label, scroller, onReach }: MoreProps) {
  const button = useRef<HTMLButtonElement>(null);
  const reach = useRef(onReach);
  reach.current = onReach;
  useEffect(() => {
    if (!button.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) reach.current();
      },
      { root: scroller.current },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  });
  return (
    <button ref={button} type="button" class="savepoint-more-messages" onClick={onReach}>
      {label}
    </button>
  );
}

/** What was sent a moment ago and is not kept yet. */
function Pending({ host, pending }: { host: TalkHost; pending: PendingMessage }) {
  return (
    <article class="savepoint-message mod-own" aria-busy="true">
      <div class="savepoint-said">
        {pending.parts.map((part) => (
          <Part host={host} part={part} isOwn />
        ))}
      </div>
    </article>
  );
}

/** What the model is saying now. */
function LiveStep({ host }: { host: TalkHost }) {
  const { phase, live } = useStore(host.talk.panel);
  if (phase === 'idle') return null;
  const said = live?.said ?? [];
  const calls = live?.calls ?? [];
  return (
    <article class="savepoint-message mod-answer mod-live" aria-busy="true">
      <div class="savepoint-said">
        {said.map((part, at) =>
          part.type === 'text' ? (
            <StreamedMarkdown
              key={at}
              host={host}
              text={part.text}
              isWhole={at < said.length - 1 || calls.length > 0}
            />
          ) : (
            <Reasoning
              key={at}
              label={
                at === said.length - 1 && calls.length === 0
                  ? text.chat.thinking
                  : text.chat.reasoning
              }
            >
              {part.text}
            </Reasoning>
          ),
        )}
        {calls.map((call) => (
          <CallCard key={call.id} host={host} call={call} status={call.status} part={call.part} />
        ))}
      </div>
      {phase !== 'streaming' && phase !== 'calling' && (
        <p class="savepoint-ending savepoint-waiting">
          <Icon name="loader" />
          {phase === 'stopping' ? text.chat.stopping : text.chat.waiting}
        </p>
      )}
    </article>
  );
}
