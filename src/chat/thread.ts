import { compareText } from '../model/event.js';
import type { Message } from '../model/message.js';

/** The messages of a conversation as the tree that they are: what was edited or asked again branches off. */
export interface Thread {
  readonly messages: ReadonlyMap<string, Message>;
  /** By parent (`''` for none): the messages that follow it, oldest first. */
  readonly children: ReadonlyMap<string, readonly Message[]>;
}

/** The thread of these messages, in whatever order they come; one whose parent is not here yet begins a branch of its own. */
export function createThread(list: Iterable<Message>): Thread {
  const messages = new Map<string, Message>();
  for (const message of list) messages.set(message.id, message);
  const children = new Map<string, Message[]>();
  for (const message of messages.values()) {
    const parent = message.parentId !== undefined && messages.has(message.parentId) ? message.parentId : '';
    children.set(parent, [...(children.get(parent) ?? []), message]);
  }
  for (const siblings of children.values()) siblings.sort(byAge);
  return { messages, children };
}

/** The messages from the first to `leafId`, in order; without one, or where it is not here, to the newest of all. */
export function pathTo(thread: Thread, leafId?: string): Message[] {
  const path: Message[] = [];
  const seen = new Set<string>(); // two messages that each name the other as their parent would lead round for ever
  let at = (leafId === undefined ? undefined : thread.messages.get(leafId)) ?? newest(thread);
  while (at && !seen.has(at.id)) {
    path.unshift(at);
    seen.add(at.id);
    at = at.parentId === undefined ? undefined : thread.messages.get(at.parentId);
  }
  return path;
}

/** The message and those that could stand in its place, oldest first. */
export function alternatives(thread: Thread, message: Message): readonly Message[] {
  const parent = message.parentId !== undefined && thread.messages.has(message.parentId) ? message.parentId : '';
  return thread.children.get(parent) ?? [message];
}

/** The end of the branch that leads through `id`: at each fork, the newest. */
export function leafBelow(thread: Thread, id: string): string {
  let at = id;
  const seen = new Set<string>();
  for (let next = thread.children.get(at)?.at(-1); next && !seen.has(at); next = thread.children.get(at)?.at(-1)) {
    seen.add(at);
    at = next.id;
  }
  return at;
}

/** Of the ends of branches: a message and its answer may bear the same time. */
function newest({ messages, children }: Thread): Message | undefined {
  const all = [...messages.values()].sort(byAge);
  return all.filter(({ id }) => !children.has(id)).at(-1) ?? all.at(-1);
}

function byAge(a: Message, b: Message): number {
  return compareText(a.createdAt, b.createdAt) || compareText(a.id, b.id);
}
