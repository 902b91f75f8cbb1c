import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { PanelState } from '../../../../chat/panel.js';
import { alternatives, newestLeaf, pathTo, type Thread } from '../../../../chat/thread.js';
import type { Message } from '../../../../model/message.js';
import { isFoldedStep, runsOf } from '../../../calls/folded-calls.js';
import { toolNamed } from '../../../calls/labels.js';
import { text } from '../../../i18n/index.js';
import { useSelected, useStore } from '../../../ui/use-store.js';
import type { PendingMessage } from '../../conversation-controller.js';
import type { ConversationHost } from '../host.js';
import { FoldedParts } from './folded-parts.js';
import { AskingCall, LiveMessage } from './live-message.js';
import { Failure } from './message-ending.js';
import { MessageRow } from './message.js';
import { PartView } from './message-part.js';
import { useMessageWindow } from './use-message-window.js';

interface ListProps {
  readonly host: ConversationHost;
  readonly thread: Thread;
  /** Id of the message to scroll to. */
  readonly wanted: string | undefined;
  /** Id of the label element. The app would show an `aria-label` as a tooltip over the list. */
  readonly labelledBy: string;
  /** Shown if there are no messages. */
  readonly empty: ComponentChildren;
}

/** The branch shown, including the streamed message. Only part of a long branch is rendered. */
export function MessageList({ host, thread, wanted, labelledBy, empty }: ListProps) {
  const { panel, pending: pendingStore } = host.controller;
  const leafId = useSelected(panel, (state) => state.leafId);
  const phase = useSelected(panel, (state) => state.phase);
  const failure = useSelected(panel, (state) => state.failure);
  const pending = useStore(pendingStore);
  const path = pathTo(thread, leafId);
  const newest = path.at(-1);
  const isBusy = phase !== 'idle' || pending !== undefined;
  const retryAt = useRetryTime(host, failure);
  const shown = useMessageWindow(path, wanted, pending);
  const { from, to, scroller, content } = shown;
  const isEndShown = to === path.length;
  const rows = foldSteps(host, thread, path.slice(from, to), wanted);

  return (
    <div
      class="savepoint-scroller savepoint-messages"
      ref={scroller}
      tabIndex={0}
      role="log"
      aria-live="off"
      aria-labelledby={labelledBy}
      {...shown.handlers}
    >
      <div ref={content} class="savepoint-message-list">
        {path.length === 0 && !isBusy && empty}
        {from > 0 && (
          <MoreMessages label={text.chat.earlier} scroller={scroller} onReach={shown.showEarlier} />
        )}
        {rows.map((row) => {
          const [message] = row;
          if (!message) return null;
          const { id } = message;
          if (row.length > 1)
            return (
              <FoldedParts key={`${id}+`} host={host} parts={row.flatMap(({ parts }) => parts)} />
            );
          return (
            <MessageRow
              key={id}
              host={host}
              message={message}
              siblings={alternatives(thread, message)}
              isLast={message === newest}
              isBusy={isBusy}
              isMarked={id === wanted}
              retryAt={message === newest ? retryAt : undefined}
            />
          );
        })}
        {!isEndShown && (
          <MoreMessages label={text.chat.later} scroller={scroller} onReach={shown.showLater} />
        )}
        {isEndShown && pending && <PendingRow host={host} pending={pending} />}
        {isEndShown && <LiveMessage host={host} />}
        <AskingCall host={host} />
        {newest && !isBusy && (
          <BranchNotice host={host} leaf={newestLeaf(thread, newest.id)} at={newest.id} />
        )}
        {failure && failure.message !== newest?.error && !isBusy && (
          <Failure message={failure.message} />
        )}
      </div>
    </div>
  );
}

/** Returns the messages, in which the model's steps in a row that only read are one row. */
function foldSteps(
  { savepoint }: ConversationHost,
  thread: Thread,
  messages: readonly Message[],
  wanted: string | undefined,
): Message[][] {
  return runsOf(
    messages,
    (message) =>
      message.id !== wanted &&
      isFoldedStep(message, (name) => toolNamed(savepoint, name)) &&
      alternatives(thread, message).length === 1,
  );
}

interface BranchProps {
  readonly host: ConversationHost;
  /** Id of the last message shown. */
  readonly at: string;
  /** Id of the newest leaf below that message; the same id if nothing follows. */
  readonly leaf: string;
}

/** Notice that the branch continues below the last message shown. */
function BranchNotice({ host, at, leaf }: BranchProps) {
  if (leaf === at) return null;
  return (
    <div class="savepoint-branching">
      <span>{text.chat.branchedHere}</span>
      <button type="button" onClick={() => host.controller.showBranch(leaf)}>
        {text.chat.branchEnd}
      </button>
    </div>
  );
}

/** Returns the earliest retry time in milliseconds since 1970; undefined if it may be now. */
function useRetryTime(
  { savepoint: { clock } }: ConversationHost,
  failure: PanelState['failure'],
): number | undefined {
  const known = useRef<{ failure: PanelState['failure']; at: number | undefined }>({
    failure: undefined,
    at: undefined,
  });
  if (known.current.failure !== failure) {
    const wait = failure?.retryAfterMs;
    known.current = { failure, at: wait === undefined ? undefined : clock.now() + wait };
  }
  return known.current.at;
}

interface MoreProps {
  readonly label: string;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly onReach: () => void;
}

/** A button that adds messages when it becomes visible or is pressed. */
function MoreMessages({ label, scroller, onReach }: MoreProps) {
  const button = useRef<HTMLButtonElement>(null);
  const latestOnReach = useRef(onReach);
  latestOnReach.current = onReach;
  useEffect(() => {
    if (!button.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) latestOnReach.current();
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

/** A sent message that is not stored yet. */
function PendingRow({ host, pending }: { host: ConversationHost; pending: PendingMessage }) {
  return (
    <article class="savepoint-message mod-own" aria-busy="true">
      <div class="savepoint-said">
        {pending.parts.map((part) => (
          <PartView host={host} part={part} isOwn />
        ))}
      </div>
    </article>
  );
}
