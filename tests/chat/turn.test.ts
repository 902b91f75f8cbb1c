import { describe, expect, it } from 'vitest';
import {
  ModelFailure,
  type LanguageModel,
  type ModelEvent,
  type ModelRequest,
} from '../../src/chat/language-model.js';
import { runTurn, type TurnStep, type TurnEvent, type TurnOptions } from '../../src/chat/turn.js';
import type { Answer } from '../../src/toolkit/answer.js';

const end = (reason: 'done' | 'tools' | 'length' = 'done'): ModelEvent => ({
  type: 'end',
  reason,
  usage: { input: 10, output: 5 },
});
const say = (text: string): ModelEvent => ({ type: 'text', text });
const ask = (id: string, tool = 'listStates', params = {}): ModelEvent => ({
  type: 'call',
  id,
  tool,
  params,
});

/**
 * A model that streams one list of events per request (the last one again after that), and records
 * the requests.
 */
function scripted(
  ...script: (readonly (ModelEvent | Error)[])[]
): LanguageModel & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    name: 'Script',
    contextLimit: undefined,
    requests,
    async *stream(request) {
      requests.push({ ...request, messages: [...request.messages] });
      for (const event of script[Math.min(requests.length, script.length) - 1] ?? []) {
        await Promise.resolve();
        if (event instanceof Error) throw event;
        yield event;
      }
    },
  };
}

function optionsFor(model: LanguageModel, more: Partial<TurnOptions> = {}): TurnOptions {
  let time = 0;
  return {
    model,
    system: 'S',
    messages: [{ role: 'user', text: 'Hello' }],
    tools: [],
    signal: new AbortController().signal,
    call: () => Promise.resolve<Answer>({ success: true, data: [] }),
    approve: () => Promise.resolve(true),
    maxCalls: 50,
    now: () => (time += 7),
    ...more,
  };
}

async function turn(options: TurnOptions): Promise<{ events: TurnEvent[]; steps: TurnStep[] }> {
  const events: TurnEvent[] = [];
  for await (const event of runTurn(options)) events.push(event);
  return { events, steps: events.flatMap((event) => (event.type === 'step' ? [event.step] : [])) };
}

describe('a turn', () => {
  it('has a single step without tool calls, and joins pieces of one type', async () => {
    const model = scripted([
      { type: 'reasoning', text: 'Hm' },
      { type: 'reasoning', text: '.' },
      say('Hel'),
      say('lo'),
      end(),
    ]);
    const { steps } = await turn(optionsFor(model));
    const parts = [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Hello' },
    ];
    expect(steps).toEqual([{ parts, end: 'done', usage: { input: 10, output: 5 } }]);
  });

  it('runs the requested tool calls and continues with their results', async () => {
    const model = scripted(
      [say('Looking.'), ask('1'), ask('2', 'loadState', { name: 'Plan' }), end('tools')],
      [say('Done.'), end()],
    );
    const call = ({ tool }: { tool: string }) =>
      Promise.resolve<Answer>(
        tool === 'loadState' ? { success: false, error: 'None.' } : { success: true },
      );
    const { events, steps } = await turn(optionsFor(model, { call }));
    expect(events.map(({ type }) => type)).toEqual([
      'text',
      'callRequested',
      'callRequested',
      'callStarted',
      'callFinished',
      'callStarted',
      'callFinished',
      'step',
      'text',
      'step',
    ]);
    expect(steps.map((step) => step.end)).toEqual(['tools', 'done']);
    expect(steps[0]!.parts).toEqual([
      { type: 'text', text: 'Looking.' },
      {
        type: 'tool',
        id: '1',
        tool: 'listStates',
        params: {},
        answer: { success: true },
        status: 'done',
        ms: 7,
      },
      {
        type: 'tool',
        id: '2',
        tool: 'loadState',
        params: { name: 'Plan' },
        answer: { success: false, error: 'None.' },
        status: 'failed',
        ms: 7,
      },
    ]);
    expect(model.requests[1]!.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        text: 'Looking.',
        calls: [ask('1'), ask('2', 'loadState', { name: 'Plan' })].map(
          ({ type: _, ...each }) => each,
        ),
      },
      {
        role: 'tool',
        answers: [
          { id: '1', tool: 'listStates', answer: { success: true } },
          { id: '2', tool: 'loadState', answer: { success: false, error: 'None.' } },
        ],
      },
    ]);
  });

  it('skips a call that the user denies, and informs the model', async () => {
    const model = scripted([ask('1', 'createState'), end('tools')], [say('Then not.'), end()]);
    const call = () => Promise.reject(new Error('was called'));
    const { steps } = await turn(
      optionsFor(model, { call, approve: () => Promise.resolve(false) }),
    );
    expect(steps[0]!.parts).toEqual([
      { type: 'tool', id: '1', tool: 'createState', params: {}, status: 'denied' },
    ]);
    expect(JSON.stringify(model.requests[1]!.messages)).toContain(
      'The user did not allow this call.',
    );
  });

  it('reports invalid parameters to the model without a call', async () => {
    const broken: ModelEvent = {
      type: 'call',
      id: '1',
      tool: 'listStates',
      params: '{"a',
      problem: 'Not JSON. Call it again.',
    };
    const model = scripted([broken, end('tools')], [say('Sorry.'), end()]);
    const { steps } = await turn(
      optionsFor(model, { call: () => Promise.reject(new Error('was called')) }),
    );
    expect(steps[0]!.parts).toMatchObject([
      { status: 'failed', answer: { success: false, error: 'Not JSON. Call it again.' } },
    ]);
  });

  it('ends after three identical calls in a row', async () => {
    const { steps } = await turn(optionsFor(scripted([ask('1'), end('tools')])));
    expect(steps.map((step) => step.end)).toEqual(['tools', 'tools', 'steps']);
    expect(steps[2]!.parts).toMatchObject([{ status: 'stopped' }]);
  });

  it('ends after the allowed number of calls', async () => {
    let asked = 0;
    const model: LanguageModel = {
      name: 'Restless',
      contextLimit: undefined,
      async *stream() {
        await Promise.resolve();
        for (let at = 0; at < 2; at++) yield ask(`${++asked}`, 'loadState', { name: `${asked}` });
        yield end('tools');
      },
    };
    const { steps } = await turn(optionsFor(model, { maxCalls: 5 }));
    expect(steps.map((step) => step.end)).toEqual(['tools', 'tools', 'steps']);
    const statuses = steps.map(({ parts }) => parts.map((part) => 'status' in part && part.status));
    expect(statuses).toEqual([
      ['done', 'done'],
      ['done', 'done'],
      ['done', 'stopped'],
    ]);
  });
});

describe('a failure', () => {
  it('keeps the partial answer of a stream that ends early', async () => {
    const { steps } = await turn(optionsFor(scripted([say('Half a wo')])));
    expect(steps).toEqual([
      {
        parts: [say('Half a wo')],
        end: 'failed',
        usage: undefined,
        error: {
          message: 'The answer broke off in the middle. Try again.',
          kind: 'broken',
          retryAfterMs: undefined,
        },
      },
    ]);
  });

  it('has the kind, message and retry time of the provider', async () => {
    const failure = new ModelFailure('busy', 'Too many requests. Try again in 30 seconds.', 30_000);
    const { steps } = await turn(optionsFor(scripted([failure])));
    expect(steps).toEqual([
      {
        parts: [],
        end: 'failed',
        usage: undefined,
        error: { message: failure.message, kind: 'busy', retryAfterMs: 30_000 },
      },
    ]);
  });

  it('is reported for an empty answer, with or without an end event', async () => {
    for (const script of [[end()], []]) {
      const { steps } = await turn(optionsFor(scripted(script)));
      expect(steps).toMatchObject([
        {
          end: 'failed',
          error: {
            message: 'The model returned an empty answer. Try again, or choose another model.',
          },
        },
      ]);
    }
  });

  it('does not blame the address after a partial answer', async () => {
    const unreadable = new ModelFailure('broken', 'This is not a model. Check the address.');
    const before = await turn(optionsFor(scripted([unreadable])));
    expect(before.steps).toMatchObject([{ parts: [], error: { message: unreadable.message } }]);
    const after = await turn(optionsFor(scripted([say('Half a wo'), unreadable])));
    expect(after.steps).toMatchObject([
      {
        parts: [say('Half a wo')],
        error: { message: 'The answer broke off in the middle. Try again.' },
      },
    ]);
  });

  it('marks requested calls as stopped', async () => {
    const { steps } = await turn(optionsFor(scripted([ask('1'), new Error('socket hang up')])));
    expect(steps).toMatchObject([
      {
        end: 'failed',
        parts: [{ type: 'tool', status: 'stopped' }],
        error: {
          message: 'The request to the model failed: socket hang up. Try again.',
        },
      },
    ]);
  });
});

describe('stopping', () => {
  it('ends the turn with the partial answer', async () => {
    const stop = new AbortController();
    const events: TurnEvent[] = [];
    for await (const event of runTurn(
      optionsFor(scripted([say('One'), say('two'), end()]), { signal: stop.signal }),
    )) {
      events.push(event);
      if (event.type === 'text' && event.text === 'One') stop.abort();
    }
    expect(events.at(-1)).toMatchObject({ type: 'step', step: { end: 'stopped' } });
  });

  it('does not wait for an approval', async () => {
    const stop = new AbortController();
    const approve = () => {
      stop.abort();
      return new Promise<boolean>(() => undefined);
    };
    const { steps } = await turn(
      optionsFor(scripted([ask('1'), end('tools')]), { approve, signal: stop.signal }),
    );
    expect(steps).toMatchObject([{ end: 'stopped', parts: [{ status: 'stopped' }] }]);
  });

  it('waits for a running call, and starts no other', async () => {
    const stop = new AbortController();
    const made: string[] = [];
    const call = ({ id }: { id: string }) => {
      stop.abort();
      made.push(id);
      return Promise.resolve<Answer>({ success: true });
    };
    const { steps } = await turn(
      optionsFor(scripted([ask('1'), ask('2'), end('tools')]), { call, signal: stop.signal }),
    );
    expect(made).toEqual(['1']);
    expect(steps).toMatchObject([
      { end: 'stopped', parts: [{ status: 'done' }, { status: 'stopped' }] },
    ]);
  });
});
