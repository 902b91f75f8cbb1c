import { useEffect, useMemo, useReducer } from 'preact/hooks';
import {
  contextUsage,
  estimateSteps,
  isEstimated,
  NEARLY_FULL_SHARE,
  type ContextUsage,
} from '../../../chat/context.js';
import { pathTo, type Thread } from '../../../chat/thread.js';
import type { Message } from '../../../model/message.js';
import { estimateToolTokens } from '../../../model/text/estimate-tokens.js';
import { runSliced } from '../../../platform/run-sliced.js';
import { Scheduler } from '../../../platform/scheduler.js';
import type { ChatAgentService, RunningChatAgent } from '../../chat-agents/chat-agent-service.js';
import { yieldToHost } from '../../host/browser-ports.js';
import { report } from '../../host/logger.js';
import { createStore, type Store } from '../../store.js';
import { toolDescriptions } from '../chat-tools.js';
import { whenPainted } from '../../ui/when-painted.js';
import { parseModelRef } from '../../models/model-ref.js';
import type { ModelRegistry } from '../../models/model-registry.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../i18n/index.js';
import { useSelected, useStore } from '../../ui/use-store.js';
import type { ConversationHost } from './host.js';

/** A branch's share of the model's context window. */
export interface BranchContext extends ContextUsage {
  /** Context window in tokens, if known. */
  readonly limit: number | undefined;
  /** True if the context window is nearly full. */
  readonly isNear: boolean;
  readonly spent: BranchUsage;
}

/** Tokens used by the answers of a branch, as their providers report them. */
export interface BranchUsage {
  readonly used: number;
  /** US dollars for the answers whose model has a listed price; undefined if there are none. */
  readonly cost: number | undefined;
}

export function useBranchContext(
  { chat, controller }: Pick<ConversationHost, 'chat' | 'controller'>,
  thread: Thread,
): BranchContext {
  const leafId = useSelected(controller.panel, (panel) => panel.leafId);
  const ref = useStore(controller.model) ?? chat.models.preferred();
  const agent = useChatAgent(chat.chatAgents, controller.id);
  const limit = agent?.contextLimit ?? chat.models.open(ref).contextLimit;
  const path = useMemo(() => pathTo(thread, leafId), [thread, leafId]);
  const isCounted = useEstimates(path, chat.savepoint);
  return useMemo(() => {
    const isReported = path.some(({ usage }) => usage !== undefined);
    const use = isCounted
      ? contextUsage(path, isReported ? 0 : toolTokens(chat.savepoint))
      : { tokens: 0, truncatedTokens: 0 };
    return {
      ...use,
      limit,
      isNear: limit !== undefined && use.tokens > limit * NEARLY_FULL_SHARE,
      spent: usageOf(path, chat.models),
    };
  }, [path, isCounted, limit]);
}

/** Estimates an opened branch's tokens after it is drawn. Returns true once they are known. */
function useEstimates(path: readonly Message[], { clock }: Savepoint): boolean {
  const [, forceRender] = useReducer((count: number) => count + 1, 0);
  const isKnown = isEstimated(path);
  useEffect(() => {
    if (isKnown) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const scheduler = new Scheduler(clock, yieldToHost);
    const estimate = async () => {
      await whenPainted();
      await runSliced(estimateSteps(path), { scheduler, signal });
      forceRender(undefined);
    };
    estimate().catch((error: unknown) => {
      if (!signal.aborted) report(error);
    });
    return () => leaving.abort();
  }, [path, isKnown]);
  return isKnown;
}

/** Returns the agent of a conversation while it runs. */
export function useChatAgent(
  chatAgents: ChatAgentService | undefined,
  id: Store<string | undefined>,
): RunningChatAgent | undefined {
  useStore(chatAgents?.revision ?? NO_REVISION);
  const conversationId = useStore(id);
  return conversationId === undefined ? undefined : chatAgents?.running(conversationId);
}

const NO_REVISION = createStore(0);

/** Returns the approximate size of the tool descriptions, which are sent with every request. */
function toolTokens(savepoint: Savepoint): number {
  return estimateToolTokens(toolDescriptions(savepoint));
}

function usageOf(path: readonly Message[], models: ModelRegistry): BranchUsage {
  let used = 0;
  let cost: number | undefined;
  for (const { usage, model } of path) {
    if (!usage) continue;
    used += usage.input + usage.output;
    const ref = parseModelRef(model);
    const price = ref && models.priceOf(ref);
    if (price) cost = (cost ?? 0) + usage.input * price.input + usage.output * price.output;
  }
  return { used, cost };
}

/** Formats a count as `950`, `1.2K`, `128K` or `1.5M`. */
export function shortCount(count: number): string {
  return new Intl.NumberFormat(text.locale, {
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(count);
}
