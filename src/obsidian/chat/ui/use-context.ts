import { useMemo } from 'preact/hooks';
import { contextUse, estimateTokens, NEARLY_FULL, type ContextUse } from '../../../chat/context.js';
import { pathTo, type Thread } from '../../../chat/thread.js';
import type { Message } from '../../../model/message.js';
import { ownSchema, talkTools } from '../talk.js';
import { readRef, type Models } from '../../models/models.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../i18n/index.js';
import { useStore } from '../../ui/use-store.js';
import { useSelected } from './hooks.js';
import type { TalkHost } from './host.js';

/** How much of its model's attention a branch takes up. */
export interface TalkContext extends ContextUse {
  /** What the model reads at most, where that is known. */
  readonly limit: number | undefined;
  readonly isNear: boolean;
  /** Whether a provider has counted; else it is an estimate. */
  readonly isReported: boolean;
  readonly spent: Spent;
}

/** What the answers of a branch have used, as their providers say. */
export interface Spent {
  readonly used: number;
  /** In US dollars; undefined where no provider has said what its tokens cost. */
  readonly cost: number | undefined;
}

export function useContext(
  { chat, talk }: Pick<TalkHost, 'chat' | 'talk'>,
  thread: Thread,
): TalkContext {
  const tools = useMemo(() => toolTokens(chat.savepoint), [chat]);
  const leafId = useSelected(talk.panel, (panel) => panel.leafId);
  const ref = useStore(talk.model) ?? chat.models.preferred();
  const limit = chat.models.open(ref).contextLimit;
  return useMemo(() => {
    const path = pathTo(thread, leafId);
    const use = contextUse(path, tools);
    return {
      ...use,
      limit,
      isNear: limit !== undefined && use.tokens > limit * NEARLY_FULL,
      isReported: path.some(({ usage }) => usage !== undefined),
      spent: spentOn(path, chat.models),
    };
  }, [thread, leafId, limit]);
}

/** About how many tokens the descriptions of the tools are, which go with every message. */
function toolTokens(savepoint: Savepoint): number {
  const described = talkTools(savepoint).map((tool) => [
    tool.name,
    tool.description,
    ownSchema(tool),
  ]);
  return estimateTokens(JSON.stringify(described));
}

function spentOn(path: readonly Message[], models: Models): Spent {
  let used = 0;
  let cost: number | undefined;
  for (const { usage, model } of path) {
    if (!usage) continue;
    used += usage.input + usage.output;
    const ref = readRef(model);
    const price = ref && models.priceOf(ref);
    if (price) cost = (cost ?? 0) + usage.input * price.input + usage.output * price.output;
  }
  return { used, cost };
}

/** `950`, `1.2K`, `128K`, `1.5M`. */
export function shortCount(count: number): string {
  return new Intl.NumberFormat(text.locale, {
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(count);
}
