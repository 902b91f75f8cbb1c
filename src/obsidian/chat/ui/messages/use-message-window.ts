import type { HTMLAttributes, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { textOfMessage, type Message } from '../../../../model/message.js';
import type { PendingMessage } from '../../conversation-controller.js';
import {
  clampRange,
  extendDown,
  extendUp,
  initialRange,
  type MessageRange,
} from './message-range.js';
import { isScrollUpKey, ScrollFollower } from './scroll-follower.js';

/** The part of a branch that is rendered, and its scroll position. */
export interface MessageWindow {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** Indexes of the messages rendered; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly showEarlier: () => void;
  readonly showLater: () => void;
  /** Event handlers of the element that scrolls. */
  readonly handlers: Pick<
    HTMLAttributes<HTMLDivElement>,
    'onScroll' | 'onWheel' | 'onTouchMove' | 'onKeyDown'
  >;
}

/**
 * Selects the part of a branch to render. Scrolls to the wanted message, else follows the end
 * until the user scrolls up. Visible messages stay in place when earlier ones are added.
 */
export function useMessageWindow(
  path: readonly Message[],
  wanted: string | undefined,
  pending: PendingMessage | undefined,
): MessageWindow {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const heightBefore = useRef<number | undefined>(undefined);
  // a state that nothing was said about yet is read from its start
  const [follower] = useState(
    () => new ScrollFollower(wanted === undefined && path.some((each) => textOfMessage(each))),
  );
  const [range, setRange] = useState<MessageRange>(() => initialRange(path, wanted));
  const { from, to } = clampRange(range, path.length);

  useLayoutEffect(() => {
    if (wanted === undefined) return;
    setRange(initialRange(path, wanted));
    follower.release();
  }, [wanted]);
  useWantedMessage(content, wanted, from);
  useStablePosition(scroller, heightBefore, from);
  useLayoutEffect(() => {
    if (!pending) return;
    follower.follow(); // the user wants to see the message just sent
    if (range.to !== undefined) setRange(initialRange(path, undefined));
    scrollToEnd(scroller.current);
  }, [pending]);
  useFollowedEnd(scroller, content, follower);

  return {
    scroller,
    content,
    from,
    to,
    showEarlier() {
      heightBefore.current = scroller.current?.scrollHeight;
      setRange(extendUp(range, from));
    },
    showLater: () => setRange(extendDown(from, to, path.length)),
    handlers: {
      onScroll() {
        if (scroller.current) follower.onScroll(scroller.current, range.to === undefined);
      },
      onWheel({ deltaY }) {
        if (deltaY < 0) follower.release();
      },
      onTouchMove: () => follower.release(),
      onKeyDown({ key }) {
        if (isScrollUpKey(key)) follower.release();
      },
    },
  };
}

/** Scrolls to the wanted message and focuses it. */
function useWantedMessage(
  content: RefObject<HTMLDivElement | null>,
  wanted: string | undefined,
  from: number,
): void {
  useLayoutEffect(() => {
    if (wanted === undefined) return;
    const selector = `[data-message="${CSS.escape(wanted)}"]`;
    const row = content.current?.querySelector<HTMLElement>(selector);
    row?.scrollIntoView({ block: 'center' });
    row?.focus({ preventScroll: true });
  }, [wanted, from]);
}

/** Keeps visible messages in place when earlier ones are added. `heightBefore` is the list's. */
function useStablePosition(
  scroller: RefObject<HTMLDivElement | null>,
  heightBefore: { current: number | undefined },
  from: number,
): void {
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || heightBefore.current === undefined) return;
    box.scrollTop += box.scrollHeight - heightBefore.current;
    heightBefore.current = undefined;
  }, [from]);
}

/** Scrolls to the end when the list or its content is resized, unless the user scrolled up. */
function useFollowedEnd(
  scroller: RefObject<HTMLDivElement | null>,
  content: RefObject<HTMLDivElement | null>,
  follower: ScrollFollower,
): void {
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || !content.current) return;
    const update = () => {
      if (follower.isFollowing) scrollToEnd(box);
    };
    update();
    const observer = new ResizeObserver(update);
    observer.observe(content.current);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
}

function scrollToEnd(box: HTMLElement | null): void {
  if (box) box.scrollTop = box.scrollHeight;
}
