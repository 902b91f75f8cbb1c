import { createContext, type RenderableProps } from 'preact';
import { report } from './host/logger.js';
import { useAsync, useLogVersion } from './memory/hooks.js';
import type { Savepoint } from './savepoint.js';

/** Titles of conversations, by id. */
export type ConversationNames = ReadonlyMap<string, string>;

const NO_NAMES: ConversationNames = new Map();

/** The names inside `WithNames`; none until they are read. */
export const NamesContext = createContext(NO_NAMES);

export function WithNames({ savepoint, children }: RenderableProps<{ savepoint: Savepoint }>) {
  const version = useLogVersion(savepoint, 'chat');
  const { value = NO_NAMES } = useAsync(() => conversationNames(savepoint), [savepoint, version]);
  return <NamesContext.Provider value={value}>{children}</NamesContext.Provider>;
}

export async function conversationNames({ conversations }: Savepoint): Promise<ConversationNames> {
  const listed = await conversations.list().catch((error: unknown) => {
    report(error); // the chat says why
    return [];
  });
  return new Map(listed.map(({ id, title }) => [id, title]));
}
