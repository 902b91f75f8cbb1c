import type { Answer } from '../../src/toolkit/answer.js';

/** Returns the answer in the text of an MCP result. */
export function answerOf(result: object): Answer {
  const { content } = result as { readonly content: readonly { readonly text: string }[] };
  return JSON.parse(content[0]!.text) as Answer;
}
