import { adviceFor } from '../../toolkit/answer.js';
import { allTools } from '../../toolkit/toolkit.js';
import type { Savepoint } from '../savepoint.js';

/** Returns a tool's error without the sentences that tell an agent which tool to use next. */
export function errorForUsers({ toolkit }: Pick<Savepoint, 'toolkit'>, error: string): string {
  const names = allTools({ toolsets: toolkit.toolsets }).map(({ tool }) => tool.name);
  return adviceFor(error, new Map(names.map((name) => [name, undefined]))) || error;
}
