import { compareText } from '../model/event.js';
import type { Message } from '../model/message.js';

/** The messages of a conversation as the tree that they are: what was edited or asked again branches off. */
export interface Thread {
  readonly messages: ReadonlyMap<string, Message>;
  /** By parent (`''` for none): the messages that follow it, oldest first. */
  readonly children: ReadonlyMap<string, readonly Message[]>;
  /** Of the ends of branches; undefined where there is no message. A message and its answer may bear the same time. */
  readonly newest: Message | undefined;
}

/** The thread of these messages, in whatever order they come; one whose parent is not here yet begins a branch of its own. */
export function createThread(list: Iterable<Message>): Thread {
  const messages = new Map<string, Message>();
  for (const message of list) messages.set(message.id, message);
  const children = new Map<string, Message[]>();
  for (const message of messages.values()) {
    const parent =
      message.parentId !== undefined && messages.has(message.parentId) ? message.parentId : '';
    const siblings = children.get(parent);
    if (siblings) siblings.push(message);
    else children.set(parent, [message]);
  }
  for (const siblings of children.values()) siblings.sort(byAge);
  const all = [...messages.values()];
  return {
    messages,
    children,
    newest: latest(all.filter(({ id }) => !children.has(id))) ?? latest(all),
  };
}

/** The messages from the first to `leafId`, in order; without one, or where it is not here, to the newest of all. */
export function pathTo(thread: Thread, leafId?: string): Message[] {
  const path: Message[] = [];
  const seen = new Set<string>(); // two messages that each name the other as their parent would lead round for ever
  let at = (leafId === undefined ? undefined : thread.messages.get(leafId)) ?? thread.newest;
  while (at && !seen.has(at.id)) {
    path.push(at);
    seen.add(at.id);
    at = at.parentId === undefined ? undefined : thread.messages.get(at.parentId);
  }
  return path.reverse();
}

/** The message and those that could stand in its place, oldest first. */
export function alternatives(thread: Thread, message: Message): readonly Message[] {
  const parent =
    message.parentId !== undefined && thread.messages.has(message.parentId) ? message.parentId : '';
  return thread.children.get(parent) ?? [message];
}

/** The end of the branch that leads through `id`: at each fork, the newest. */
export function leafBelow(thread: Thread, id: string): string {
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

function latest(messages: readonly Message[]): Message | undefined {
  return messages.reduce<Message | undefined>(
    (found, each) => (found && byAge(found, each) >= 0 ? found : each),
    undefined,
  );
}

function byAge(a: Message, b: Message): number {
  return compareText(a.createdAt, b.createdAt) || compareText(a.id, b.id);
}
