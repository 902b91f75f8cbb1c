import { describe, expect, it } from 'vitest';
import {
  failureFromResponse,
  failureFromNetwork,
  parseRetryAfter,
} from '../../../src/obsidian/models/failures.js';

const NOW = Date.UTC(2026, 10, 20, 9);
const failure = (status: number, body: unknown = '', headers = {}) =>
  failureFromResponse(
    'Anthropic',
    'claude-x',
    { status, body: typeof body === 'string' ? body : JSON.stringify(body), headers },
    NOW,
  );

describe('an error response', () => {
  it.each([
    [401, { error: { type: 'authentication_error', message: 'invalid x-api-key' } }, 'key'],
    [404, { error: { message: 'model: claude-x' } }, 'model'],
    [400, { error: { message: 'prompt is too long: 210000 tokens > 200000 maximum' } }, 'context'],
    [
      400,
      { error: { message: "This model's maximum context length is 128000 tokens." } },
      'context',
    ],
    [400, { error: { message: 'Your credit balance is too low' } }, 'quota'],
    [429, { error: { message: 'You exceeded your current quota' } }, 'quota'],
    [429, { error: { message: 'Rate limited' } }, 'busy'],
    [529, { error: { message: 'Overloaded' } }, 'busy'],
    [500, '<html><head><title>502 Bad Gateway</title></head></html>', 'broken'],
    [400, [{ error: { message: 'Unknown field' } }], 'refused'],
    [418, '', 'refused'],
  ] as const)('with %i %j is a failure of kind "%s"', (status, body, kind) => {
    const { kind: found, message } = failure(status, body);
    expect(found).toBe(kind);
    expect(message).toMatch(/\.( It said: ".*")?$/);
  });

  it.each([
    [400, 'images'],
    [422, 'images'],
    [500, 'images'],
    [502, 'broken'],
    [401, 'key'],
    [404, 'model'],
    [413, 'context'],
    [429, 'busy'],
  ] as const)('with %i to a request with images is a failure of kind "%s"', (status, kind) => {
    const response = { status, body: '', headers: {}, hasImages: true };
    expect(failureFromResponse('Anthropic', 'claude-x', response, NOW).kind).toBe(kind);
  });

  it('says when to retry', () => {
    expect(failure(429, 'slow down', { 'retry-after': '30' })).toMatchObject({
      retryAfterMs: 30_000,
      message: expect.stringContaining('in 30 seconds') as string,
    });
    expect(failure(529).message).toContain('Try again in a minute.');
  });

  it('quotes at most one sentence, and no HTML page', () => {
    expect(
      failure(500, '<html><title>Bad gateway</title><script>alert(1)</script></html>').message,
    ).toContain('It said: "Bad gateway"');
    expect(failure(400, 'x'.repeat(10_000)).message.length).toBeLessThan(400);
  });
});

describe('a network failure', () => {
  it('names a local server that does not run', () => {
    expect(failureFromNetwork('Ollama', 'http://localhost:11434/v1', true).message).toContain(
      'Start it',
    );
  });

  it('distinguishes an offline device from a blocked request', () => {
    expect([
      failureFromNetwork('OpenAI', 'https://api.openai.com/v1', false).kind,
      failureFromNetwork('OpenAI', 'https://api.openai.com/v1', true).kind,
    ]).toEqual(['network', 'cors']);
  });
});

it.each([
  ['30', 30_000],
  ['0', 0],
  ['Fri, 20 Nov 2026 09:01:00 GMT', 60_000],
  ['soon', undefined],
  ['-5', undefined],
])('parseRetryAfter reads "%s" as a wait of %s ms', (value, ms) => {
  expect(parseRetryAfter({ 'retry-after': value }, NOW)).toBe(ms);
});
