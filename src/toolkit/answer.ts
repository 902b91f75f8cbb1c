import type { Json, JsonObject } from '../model/event.js';
import { Refusal } from '../model/refusal.js';

/** Result of a tool call. Optional fields are present only when needed. */
export type Answer = Success | Failure;

interface AnswerFields {
  /** Name of the call's workspace, if the call did not name it. */
  readonly workspace?: string;
  readonly notice?: string;
}

export interface Success extends AnswerFields {
  readonly success: true;
  readonly data?: unknown;
  readonly indexState?: Json;
  readonly more?: MorePages;
  /** A call that the caller may want to make, as its surface has it. */
  readonly call?: SuggestedCall | JsonObject;
}

export interface SuggestedCall {
  readonly tool: string;
  readonly params: JsonObject;
}

/** Says that a list continues. */
export interface MorePages {
  /** Number of entries on all pages. */
  readonly total: number;
  /** Value of `after` for the next page. */
  readonly after: string;
}

export interface Failure extends AnswerFields {
  readonly success: false;
  /** Says what is wrong, then what to do next. */
  readonly error?: string;
  /** Results of several calls, at least one of which failed. */
  readonly data?: unknown;
}

export function succeed(data?: unknown): Success {
  return data === undefined ? { success: true } : { success: true, data };
}

/** Puts a notice, if any, before the answer's own. */
export function addNotice(answer: Answer, notice: string | undefined): Answer {
  if (notice === undefined) return answer;
  return {
    ...answer,
    notice: answer.notice === undefined ? notice : `${notice} ${answer.notice}`,
  };
}

/** Never rejects. A `Refusal` becomes a failure with its text; other errors go to `report`. */
export async function settle(
  task: () => Promise<Answer>,
  report: (error: unknown) => void,
): Promise<Answer> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof Refusal) return { success: false, error: error.message };
    report(error);
    return {
      success: false,
      error:
        "Something went wrong in Savepoint. Try again; if it keeps happening, report it with this program's log.",
    };
  }
}

/** Applies `adviceFor` to error and notice. A phrase is undefined for a tool not to be called. */
export function inTermsOf(
  answer: Answer,
  phrases: () => ReadonlyMap<string, string | undefined>,
): Answer {
  const { notice, ...rest } = answer;
  if (notice === undefined && (answer.success || answer.error === undefined)) return answer;
  const phraseFor = phrases();
  const noticeText = notice === undefined ? '' : adviceFor(notice, phraseFor);
  return {
    ...rest,
    ...(noticeText !== '' && { notice: noticeText }),
    ...(!answer.success &&
      answer.error !== undefined && { error: adviceFor(answer.error, phraseFor) || answer.error }),
  };
}

/**
 * Replaces each tool's name by the caller's phrase for it, and drops sentences that name a tool
 * which the caller cannot call. Text in quotation marks is data.
 */
export function adviceFor(
  text: string,
  phraseFor: ReadonlyMap<string, string | undefined>,
): string {
  const sentences = text.match(/(?:"[^"]*"|[^])+?(?:[.?!](?=\s+(?:\p{Lu}|[a-z]+[A-Z]))|$)/gu) ?? [];
  return sentences.flatMap((each) => inPhrases(each.trim(), phraseFor) ?? []).join(' ');
}

function inPhrases(
  sentence: string,
  phraseFor: ReadonlyMap<string, string | undefined>,
): string | undefined {
  const words = sentence.split(/("[^"]*"|\b[a-z]+[A-Z]\w*)/u);
  const isForOthers = words.some(
    (word) => phraseFor.has(word) && phraseFor.get(word) === undefined,
  );
  return isForOthers ? undefined : words.map((word) => phraseFor.get(word) ?? word).join('');
}
