import { AnthropicLanguageModel } from '@ai-sdk/anthropic/internal';
import { GoogleLanguageModel } from '@ai-sdk/google/internal';
import { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import { OpenAIResponsesLanguageModel } from '@ai-sdk/openai/internal';
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4Prompt,
  type LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import {
  ModelFailure,
  type LanguageModel,
  type ModelEvent,
  type ModelMessage,
  type ModelRequest,
} from '../../chat/language-model.js';
import type { Json } from '../../model/event.js';
import { text } from '../i18n/index.js';
import { failureOfAnswer, failureOfNetwork } from './failures.js';
import type { Provider } from './providers.js';

export interface SdkModelOptions {
  readonly provider: Provider;
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly fetchLike: typeof fetch;
  readonly isOnline: () => boolean;
  readonly now: () => number;
}

/** A provider's model through the AI SDK's own providers, one request at a time: no retries and no loop but ours. */
export function createSdkModel(options: SdkModelOptions): LanguageModel {
  const { provider, model, baseUrl, isOnline, now } = options;
  return {
    name: model,
    contextLimit: undefined,
    async *stream(request, signal) {
      try {
        const { stream } = await openModel(options).doStream({
          ...callOf(request),
          abortSignal: signal,
        });
        yield* eventsOf(stream, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw failureOf(error);
      }
    },
  };

  function failureOf(error: unknown): unknown {
    if (error instanceof ModelFailure) return error;
    if (APICallError.isInstance(error) && error.statusCode !== undefined) {
      const { statusCode: status, responseBody: body = '', responseHeaders: headers = {} } = error;
      return status < 400
        ? broken()
        : failureOfAnswer(provider.name, model, { status, body, headers }, now());
    }
    if (APICallError.isInstance(error) || error instanceof TypeError)
      return failureOfNetwork(provider.name, baseUrl, isOnline());
    return broken();
  }

  function broken(): ModelFailure {
    return new ModelFailure(
      'broken',
      `${provider.name} answered something that is no answer of a model. Check the address and the model, then try again.`,
    );
  }
}

/** The classes themselves: the factories around them would bring everything else that a provider offers into the bundle. */
function openModel({
  provider,
  baseUrl,
  model,
  apiKey = '',
  fetchLike,
  now,
}: SdkModelOptions): LanguageModelV4 {
  const connection = { provider: provider.id, baseURL: baseUrl, fetch: fetchLike };
  const url = ({ path }: { readonly path: string }) => `${baseUrl}${path}`;
  const bearer = apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };
  switch (provider.protocol) {
    case 'anthropic': {
      // Anthropic answers web pages only where they say that they know what that means for a key.
      const headers = {
        'anthropic-version': '2023-06-01',
        'x-api-key': apiKey,
        'anthropic-dangerous-direct-browser-access': 'true',
      };
      return new AnthropicLanguageModel(model, { ...connection, headers });
    }
    case 'openai':
      return new OpenAIResponsesLanguageModel(model, { ...connection, url, headers: bearer });
    case 'google': {
      let calls = 0; // Google may give the calls of tools no ids
      const generateId = () => `call-${now()}-${++calls}`;
      return new GoogleLanguageModel(model, {
        ...connection,
        headers: { 'x-goog-api-key': apiKey },
        generateId,
      });
    }
    case 'compatible':
      return new OpenAICompatibleChatLanguageModel(model, {
        ...connection,
        url,
        headers: bearer,
        includeUsage: true,
      });
  }
}

function callOf({ system, messages, tools }: ModelRequest) {
  return {
    prompt: [{ role: 'system' as const, content: system }, ...messages.map(promptOf)],
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function' as const,
      name,
      description,
      inputSchema: inputSchema,
    })),
  };
}

function promptOf(message: ModelMessage): LanguageModelV4Prompt[number] {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }] };
    case 'assistant': {
      const calls = message.calls.map(({ id, tool, params }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: tool,
        input: params,
      }));
      return {
        role: 'assistant',
        content: [
          ...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]),
          ...calls,
        ],
      };
    }
    case 'tool':
      return {
        role: 'tool',
        content: message.answers.map(({ id, tool, answer }) => ({
          type: 'tool-result' as const,
          toolCallId: id,
          toolName: tool,
          output: { type: 'json' as const, value: answer },
        })),
      };
  }
}

async function* eventsOf(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      signal.throwIfAborted();
      const event = eventOf(next.value);
      if (event) yield event;
    }
  } finally {
    await reader.cancel().catch(() => undefined); // whoever stopped it has no more use for it
  }
}

function eventOf(part: LanguageModelV4StreamPart): ModelEvent | undefined {
  switch (part.type) {
    case 'text-delta':
      return { type: 'text', text: part.delta };
    case 'reasoning-delta':
      return { type: 'reasoning', text: part.delta };
    case 'tool-call':
      return { type: 'call', id: part.toolCallId, tool: part.toolName, ...readParams(part.input) };
    case 'error':
      throw part.error;
    case 'finish': {
      const { unified } = part.finishReason;
      if (unified === 'interrupted' || unified === 'error') return undefined; // the turn says that it broke off
      const { inputTokens, outputTokens } = part.usage;
      const usage = { input: inputTokens.total ?? 0, output: outputTokens.total ?? 0 };
      if (unified === 'content-filter')
        throw new ModelFailure('refused', text.chat.failures.heldBack);
      const reason = unified === 'length' ? 'length' : unified === 'tool-calls' ? 'tools' : 'done';
      return { type: 'end', reason, usage: usage.input + usage.output > 0 ? usage : undefined };
    }
    default:
      return undefined;
  }
}

function readParams(input: string): { params: Json; problem?: string } {
  try {
    return { params: JSON.parse(input === '' ? '{}' : input) as Json };
  } catch {
    return {
      params: input,
      problem: 'The parameters are not valid JSON. Call the tool again with a JSON object.',
    };
  }
}
