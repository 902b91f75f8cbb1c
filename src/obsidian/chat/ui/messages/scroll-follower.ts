/** A position less than this many pixels above the end counts as the end. */
const END_THRESHOLD_PX = 60;

/** Tracks whether a growing list follows its end, which it does until the user scrolls up. */
export class ScrollFollower {
  #isFollowing: boolean;
  #lastTop = 0;
  #lastHeight = 0;

  constructor(isFollowing: boolean) {
    this.#isFollowing = isFollowing;
  }

  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  follow(): void {
    this.#isFollowing = true;
  }

  release(): void {
    this.#isFollowing = false;
  }

  /** Handles a scroll event. `isEndRendered` is false while later messages are not in the page. */
  onScroll(
    box: Pick<Element, 'scrollTop' | 'scrollHeight' | 'clientHeight'>,
    isEndRendered: boolean,
  ): void {
    const { scrollTop, scrollHeight, clientHeight } = box;
    const isNearEnd = scrollHeight - scrollTop - clientHeight < END_THRESHOLD_PX;
    // Changed content moves the position, too: only a move up at the same height is the user's.
    const hasScrolledUp = scrollTop < this.#lastTop && scrollHeight === this.#lastHeight;
    if (isEndRendered && isNearEnd) this.#isFollowing = true;
    else if (hasScrolledUp || !isEndRendered) this.#isFollowing = false;
    this.#lastTop = scrollTop;
    this.#lastHeight = scrollHeight;
  }
}

/** Returns true for a key that scrolls up. */
export function isScrollUpKey(key: string): boolean {
  return key === 'PageUp' || key === 'ArrowUp' || key === 'Home';
}
