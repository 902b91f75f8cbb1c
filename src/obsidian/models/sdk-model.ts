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
import { isJsonObject, type Json } from '../../model/event.js';
import { parseJson } from '../../model/text/json-fields.js';
import { visibleJson } from '../../model/text/visible-text.js';
import { text } from '../i18n/index.js';
import { failureFromResponse, failureFromNetwork } from './failures.js';
import type { Provider } from './providers.js';

export interface SdkModelOptions {
  readonly provider: Provider;
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly fetchLike: typeof fetch;
  readonly isOnline: () => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Creates a model on the AI SDK's provider classes, without its retries and tool loop. */
export function createSdkModel(options: SdkModelOptions): LanguageModel {
  const { provider, model, baseUrl, isOnline, now } = options;
  return {
    name: model,
    contextLimit: undefined,
    async *stream(request, signal) {
      try {
        const { stream } = await createProviderModel(options).doStream({
          ...toCallOptions(visibleJson(request)),
          abortSignal: signal,
        });
        yield* readEvents(stream, signal);
      } catch (error) {
        signal.throwIfAborted();
        const hasImages = request.messages.some((each) => 'images' in each);
        throw toFailure(error, hasImages);
      }
    },
  };

  function toFailure(error: unknown, hasImages: boolean): ModelFailure {
    if (error instanceof ModelFailure) return error;
    if (APICallError.isInstance(error) && error.statusCode !== undefined) {
      const { statusCode: status, responseBody: body = '', responseHeaders: headers = {} } = error;
      return status < 400
        ? malformed()
        : failureFromResponse(provider.name, model, { status, body, headers, hasImages }, now());
    }
    if (APICallError.isInstance(error) || error instanceof TypeError)
      return failureFromNetwork(provider.name, baseUrl, isOnline());
    return malformed();
  }

  function malformed(): ModelFailure {
    return new ModelFailure(
      'broken',
      `${provider.name} did not return a model's answer. Check the address and the model, then try again.`,
    );
  }
}

/** Instantiates the class directly: the SDK's factories would bundle all the provider's code. */
function createProviderModel({
  provider,
  baseUrl,
  model,
  apiKey = '',
  fetchLike,
  now,
}: SdkModelOptions): LanguageModelV4 {
  const fetch = withConversationLast(fetchLike);
  const connection = { provider: provider.id, baseURL: baseUrl, fetch };
  const url = ({ path }: { readonly path: string }) => `${baseUrl}${path}`;
  const bearer = apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };
  switch (provider.protocol) {
    case 'anthropic': {
      // Anthropic allows requests from a web page only with this header.
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
      let calls = 0; // Google may omit the ids of tool calls
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

/** Puts what grows last in the body, so that a request begins with the bytes of the one before. */
function withConversationLast(fetchLike: typeof fetch): typeof fetch {
  return (url, init) => {
    const parsed = typeof init?.body === 'string' && parseJson(init.body);
    if (!isJsonObject(parsed)) return fetchLike(url, init);
    const { messages, input, contents, ...rest } = parsed;
    const body = JSON.stringify({ ...rest, messages, input, contents });
    return fetchLike(url, { ...init, body });
  };
}

function toCallOptions({ system, messages, tools }: ModelRequest) {
  return {
    prompt: [{ role: 'system' as const, content: system }, ...messages.map(toPromptMessage)],
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function' as const,
      name,
      description,
      inputSchema,
    })),
  };
}

function toPromptMessage(message: ModelMessage): LanguageModelV4Prompt[number] {
  switch (message.role) {
    case 'user':
      return {
        role: 'user',
        content: [
          ...(message.images ?? []).map(({ mimeType, data }) => ({
            type: 'file' as const,
            mediaType: mimeType,
            data: { type: 'data' as const, data },
          })),
          { type: 'text', text: message.text },
        ],
      };
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

async function* readEvents(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      signal.throwIfAborted();
      const event = toModelEvent(next.value);
      if (event) yield event;
    }
  } finally {
    await reader.cancel().catch(() => undefined); // nothing more is needed from the stream
  }
}

function toModelEvent(part: LanguageModelV4StreamPart): ModelEvent | undefined {
  switch (part.type) {
    case 'text-delta':
      return { type: 'text', text: part.delta };
    case 'reasoning-delta':
      return { type: 'reasoning', text: part.delta };
    case 'tool-call':
      return { type: 'call', id: part.toolCallId, tool: part.toolName, ...parseParams(part.input) };
    case 'error':
      throw part.error;
    case 'finish': {
      const { unified } = part.finishReason;
      // the turn reports that the stream ended early
      if (unified === 'interrupted' || unified === 'error') return undefined;
      const { inputTokens, outputTokens } = part.usage;
      const usage = { input: inputTokens.total ?? 0, output: outputTokens.total ?? 0 };
      if (unified === 'content-filter')
        throw new ModelFailure('refused', text.chat.failures.heldBack);
      const isReported = usage.input + usage.output > 0;
      return { type: 'end', reason: endReason(unified), usage: isReported ? usage : undefined };
    }
    default:
      return undefined;
  }
}

function endReason(unified: string): 'done' | 'tools' | 'length' {
  if (unified === 'length') return 'length';
  return unified === 'tool-calls' ? 'tools' : 'done';
}

function parseParams(input: string): { params: Json; problem?: string } {
  const params = parseJson(input === '' ? '{}' : input);
  return params === undefined
    ? {
        params: input,
        problem: 'The parameters are not valid JSON. Call the tool again with a JSON object.',
      }
    : { params };
}
