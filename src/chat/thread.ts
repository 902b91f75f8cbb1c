import { compareText } from '../model/event.js';
import type { Message } from '../model/message.js';
import { addToList } from '../platform/lists.js';

/** A tree of messages, in which edited messages and regenerated answers are branches. */
export interface Thread {
  readonly messages: ReadonlyMap<string, Message>;
  /** Replies by the parent's id (`''` for none), oldest first. */
  readonly children: ReadonlyMap<string, readonly Message[]>;
  /** Newest leaf, because a message and its answer may have the same time; undefined if empty. */
  readonly newest: Message | undefined;
}

/** Accepts messages in any order; one whose parent is missing becomes a root. */
export function createThread(list: Iterable<Message>): Thread {
  const messages = new Map<string, Message>();
  for (const message of list) messages.set(message.id, message);
  const children = new Map<string, Message[]>();
  for (const message of messages.values()) {
    const parent =
      message.parentId !== undefined && messages.has(message.parentId) ? message.parentId : '';
    addToList(children, parent, message);
  }
  for (const siblings of children.values()) siblings.sort(byAge);
  const all = [...messages.values()];
  const leaves = all.filter(({ id }) => !children.has(id));
  return {
    messages,
    children,
    newest: newestOf(leaves.filter(({ isAside }) => !isAside)) ?? newestOf(leaves) ?? newestOf(all),
  };
}

/** Returns the path from the root to `leafId`, or by default (or if unknown) to the newest leaf. */
export function pathTo(thread: Thread, leafId?: string): Message[] {
  const path: Message[] = [];
  const seen = new Set<string>(); // damaged data may contain a cycle of parents
  let at = (leafId === undefined ? undefined : thread.messages.get(leafId)) ?? thread.newest;
  while (at && !seen.has(at.id)) {
    path.push(at);
    seen.add(at.id);
    at = at.parentId === undefined ? undefined : thread.messages.get(at.parentId);
  }
  return path.reverse();
}

/** Returns the message and its siblings, oldest first. */
export function alternatives(thread: Thread, message: Message): readonly Message[] {
  const parent =
    message.parentId !== undefined && thread.messages.has(message.parentId) ? message.parentId : '';
  return thread.children.get(parent) ?? [message];
}

/** Follows the newest reply at each fork. */
export function newestLeaf(thread: Thread, id: string): string {
  let at = id;
  const seen = new Set<string>();
  for (
    let next = thread.children.get(at)?.at(-1);
    next && !seen.has(at);
    next = thread.children.get(at)?.at(-1)
  ) {
    seen.add(at);
    at = next.id;
  }
  return at;
}

function newestOf(messages: readonly Message[]): Message | undefined {
  return messages.reduce<Message | undefined>(
    (found, each) => (found && byAge(found, each) >= 0 ? found : each),
    undefined,
  );
}

function byAge(a: Message, b: Message): number {
  return compareText(a.createdAt, b.createdAt) || compareText(a.id, b.id);
}
