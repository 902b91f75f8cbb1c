/*
 * The protocols in which the clients talk to their models, as far as the tests need them: one
 * answer at a time, which is either a text or a tool call, with more calls at the same time.
 */

export type Json = Record<string, unknown>;

/** A request to a model, reduced to what the tests look at. */
export interface ModelRequest {
  /** Names of the offered tools, as the client calls them. */
  readonly tools: readonly string[];
  /** The texts of the conversation, without the results of tools. */
  readonly text: string;
  /** The results of tool calls, oldest first. */
  readonly results: readonly string[];
  readonly isStreamed: boolean;
}

export interface ToolCall {
  readonly tool: string;
  readonly args: Json;
}

/** An answer of a model. */
export type ModelAnswer = (
  (ToolCall & { readonly also?: readonly ToolCall[] }) | { readonly text: string }
) & {
  /** The number of tokens that the request claims to have used. */
  readonly tokens?: number;
};

interface StreamedEvent {
  readonly event?: string;
  readonly data: Json | string;
}

export interface Protocol {
  /** Returns true if a request to this path is one of the protocol. */
  matches(path: string): boolean;
  read(body: Json, path: string): ModelRequest;
  stream(answer: ModelAnswer): readonly StreamedEvent[];
  whole(answer: ModelAnswer): Json;
}

const USAGE = { input_tokens: 10, output_tokens: 5 };
/** Stands between the name of a group of tools and that of a tool. */
const GROUP_SEPARATOR = ' ';
let lastId = 0;

/**
 * Returns the offered tool with this name, to which each client adds a prefix unless the tool is
 * its own.
 */
export function findTool(tools: readonly string[], name: string): string | undefined {
  if (tools.includes(name)) return name;
  return tools.find((tool) => tool.split(/[^A-Za-z]/).at(-1) === name);
}

/** Anthropic messages. */
const ANTHROPIC: Protocol = {
  matches: (path) => /^\/v1\/messages(\?|$)/.test(path),
  read(body) {
    const messages = listOf(body['messages']);
    const blocks = messages.flatMap(({ content }) =>
      typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content),
    );
    return {
      tools: listOf(body['tools']).map(({ name }) => String(name)),
      text: textsOf(blocks.filter(({ type }) => type === 'text')),
      results: blocks
        .filter(({ type }) => type === 'tool_result')
        .map(({ content }) => (typeof content === 'string' ? content : textsOf(listOf(content)))),
      isStreamed: body['stream'] === true,
    };
  },
  stream(answer) {
    const { content, ...message } = ANTHROPIC.whole(answer);
    const end = { stop_reason: message['stop_reason'], stop_sequence: null };
    const blocks = listOf(content).flatMap((block, index) => {
      const isCall = block['type'] === 'tool_use';
      const delta = isCall
        ? { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) }
        : { type: 'text_delta', text: block['text'] };
      const empty = { ...block, ...(isCall ? { input: {} } : { text: '' }) };
      return [
        typed('content_block_start', { index, content_block: empty }),
        typed('content_block_delta', { index, delta }),
        typed('content_block_stop', { index }),
      ];
    });
    return [
      typed('message_start', { message: { ...message, content: [], stop_reason: null } }),
      ...blocks,
      typed('message_delta', { delta: end, usage: USAGE }),
      typed('message_stop', {}),
    ];
  },
  whole: (answer) => ({
    id: `msg_${++lastId}`,
    type: 'message',
    role: 'assistant',
    model: 'fake',
    content:
      'text' in answer
        ? [{ type: 'text', text: answer.text }]
        : callsIn(answer).map(({ tool, args }) => ({
            type: 'tool_use',
            id: `toolu_${++lastId}`,
            name: tool,
            input: args,
          })),
    stop_reason: 'tool' in answer ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: USAGE,
  }),
};

/** OpenAI Responses. Codex groups the tools of a server, and expects the group in a call. */
const RESPONSES: Protocol = {
  matches: (path) => path.endsWith('/responses'),
  read(body) {
    const items = listOf(body['input']);
    const contents = items.flatMap(({ content }) =>
      typeof content === 'string' ? [{ text: content }] : listOf(content),
    );
    return {
      tools: [body, ...items]
        .flatMap(toolsIn)
        .flatMap(({ type, name, tools }) =>
          type === 'namespace'
            ? listOf(tools).map(
                (tool) => `${String(name)}${GROUP_SEPARATOR}${String(tool['name'])}`,
              )
            : [String(name)],
        ),
      text: textsOf(contents),
      results: items
        .filter(({ type }) => type === 'function_call_output')
        .map(({ output }) => (typeof output === 'string' ? output : textsOf(listOf(output)))),
      isStreamed: body['stream'] === true,
    };
  },
  stream(answer) {
    const response = RESPONSES.whole(answer);
    return [
      typed('response.created', { response: { ...response, output: [] } }),
      ...listOf(response['output']).flatMap((item, output_index) => [
        typed('response.output_item.added', { output_index, item }),
        typed('response.output_item.done', { output_index, item }),
      ]),
      typed('response.completed', { response }),
    ];
  },
  whole(answer) {
    const id = ++lastId;
    const output =
      'text' in answer
        ? [
            {
              type: 'message',
              id: `msg_${id}`,
              role: 'assistant',
              content: [{ type: 'output_text', text: answer.text, annotations: [] }],
            },
          ]
        : callsIn(answer).map(functionCall);
    const { input_tokens = USAGE.input_tokens } = { input_tokens: answer.tokens };
    const usage = {
      input_tokens,
      output_tokens: USAGE.output_tokens,
      input_tokens_details: null,
      output_tokens_details: null,
    };
    return {
      id: `resp_${id}`,
      object: 'response',
      status: 'completed',
      model: 'fake',
      output,
      usage: { ...usage, total_tokens: input_tokens + USAGE.output_tokens },
    };
  },
};

function functionCall({ tool, args }: ToolCall): Json {
  const id = ++lastId;
  const [group, name] = tool.split(GROUP_SEPARATOR);
  return {
    type: 'function_call',
    id: `fc_${id}`,
    call_id: `call_${id}`,
    ...(name === undefined ? { name: group } : { namespace: group, name }),
    arguments: JSON.stringify(args),
  };
}

/** OpenAI chat completions. */
const COMPLETIONS: Protocol = {
  matches: (path) => path.endsWith('/chat/completions'),
  read(body) {
    const messages = listOf(body['messages']);
    const textOf = ({ content }: Json) =>
      typeof content === 'string' ? content : textsOf(listOf(content));
    return {
      tools: listOf(body['tools']).map((tool) => String((tool['function'] as Json)['name'])),
      text: messages
        .filter(({ role }) => role !== 'tool')
        .map(textOf)
        .join('\n'),
      results: messages.filter(({ role }) => role === 'tool').map(textOf),
      isStreamed: body['stream'] === true,
    };
  },
  stream(answer) {
    const { choices, ...completion } = COMPLETIONS.whole(answer);
    const [choice] = listOf(choices);
    const { role, ...message } = choice?.['message'] as Json;
    const calls = listOf(message['tool_calls']).map((call, index) => ({ ...call, index }));
    const delta = { role, ...message, ...(calls.length > 0 && { tool_calls: calls }) };
    const chunk = { ...completion, object: 'chat.completion.chunk' };
    const last = { index: 0, delta: {}, finish_reason: choice?.['finish_reason'] };
    return [
      { data: { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] } },
      { data: { ...chunk, choices: [last] } },
      { data: '[DONE]' },
    ];
  },
  whole(answer) {
    const id = ++lastId;
    const isCall = 'tool' in answer;
    const message = isCall
      ? {
          content: null,
          tool_calls: callsIn(answer).map(({ tool, args }) => ({
            id: `call_${++lastId}`,
            type: 'function',
            function: { name: tool, arguments: JSON.stringify(args) },
          })),
        }
      : { content: answer.text };
    return {
      id: `chatcmpl-${id}`,
      object: 'chat.completion',
      created: 0,
      model: 'fake',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', ...message },
          finish_reason: isCall ? 'tool_calls' : 'stop',
        },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    };
  },
};

/** Gemini's `generateContent`. */
const GEMINI: Protocol = {
  matches: (path) => path.includes('enerateContent'),
  read(body, path) {
    const parts = listOf(body['contents']).flatMap((content) => listOf(content['parts']));
    return {
      tools: listOf(body['tools'])
        .flatMap((tool) => listOf(tool['functionDeclarations']))
        .map(({ name }) => String(name)),
      text: textsOf(parts),
      results: parts
        .flatMap(({ functionResponse }) => (functionResponse ? [functionResponse as Json] : []))
        .map(({ response }) => JSON.stringify(response)),
      isStreamed: path.includes('streamGenerateContent'),
    };
  },
  stream: (answer) => [{ data: GEMINI.whole(answer) }],
  whole: (answer) => ({
    candidates: [
      {
        index: 0,
        content: {
          role: 'model',
          parts:
            'text' in answer
              ? [{ text: answer.text }]
              : callsIn(answer).map(({ tool, args }) => ({ functionCall: { name: tool, args } })),
        },
        finishReason: 'STOP',
      },
    ],
    usageMetadata: {
      promptTokenCount: answer.tokens ?? USAGE.input_tokens,
      candidatesTokenCount: USAGE.output_tokens,
      totalTokenCount: (answer.tokens ?? USAGE.input_tokens) + USAGE.output_tokens,
    },
    modelVersion: 'fake',
  }),
};

export const PROTOCOLS: readonly Protocol[] = [ANTHROPIC, RESPONSES, COMPLETIONS, GEMINI];

/** An event whose data repeats its name as `type`. */
function typed(type: string, data: Json): StreamedEvent {
  return { event: type, data: { type, ...data } };
}

/** Returns the offered tools in a request or in an item that offers more. */
function toolsIn({ type = 'additional_tools', tools }: Json): Json[] {
  return type === 'additional_tools' ? listOf(tools) : [];
}

function callsIn({ tool, args, also = [] }: Extract<ModelAnswer, ToolCall>): ToolCall[] {
  return [{ tool, args }, ...also];
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

function textsOf(parts: readonly Json[]): string {
  return parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');
}
