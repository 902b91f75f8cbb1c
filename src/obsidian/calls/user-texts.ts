import { allTools } from '../../toolkit/toolkit.js';
import type { Savepoint } from '../savepoint.js';

/** Returns a tool's error without the sentences that tell an agent which tool to use next. */
export function errorForUsers({ toolkit }: Pick<Savepoint, 'toolkit'>, error: string): string {
  const names = allTools(toolkit).map(({ tool }) => tool.name);
  return withoutAdvice(error, names);
}

/** Drops the sentences that mention one of the names, unless nothing would be left. */
export function withoutAdvice(error: string, names: readonly string[]): string {
  const sentences = error.replace(/([.?!])\s+(?=\p{Lu})/gu, '$1\n').split('\n');
  const kept = sentences.filter((sentence) => !names.some((name) => sentence.includes(name)));
  return kept.length === 0 ? error : kept.join(' ');
}
