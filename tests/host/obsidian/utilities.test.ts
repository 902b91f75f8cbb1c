// Tier full: tests the simulated Obsidian, not the plugin
// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  arrayBufferToBase64,
  arrayBufferToHex,
  base64ToArrayBuffer,
  debounce,
  hexToArrayBuffer,
  normalizePath,
  requestUrl,
} from './utilities.js';

test.each([
  ['a//b\\c/', 'a/b/c'],
  ['/', '/'],
  ['', '/'],
  ['/a\u00a0b', 'a b'],
  ['e\u0301', '\u00e9'],
])('normalizePath turns %j into %j', (path, normal) => {
  expect(normalizePath(path)).toBe(normal);
});

test('bytes can be converted to base64 and hex and back', () => {
  const bytes = Uint8Array.from([0, 255, 16]).buffer;
  expect(new Uint8Array(base64ToArrayBuffer(arrayBufferToBase64(bytes)))).toEqual(
    new Uint8Array(bytes),
  );
  expect(arrayBufferToHex(hexToArrayBuffer('00ff10'))).toBe('00ff10');
});

describe('debounce', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('runs once after the first delay, with the latest arguments', () => {
    const run = vi.fn();
    const debounced = debounce(run, 100);
    debounced(1);
    vi.advanceTimersByTime(60);
    debounced(2);
    vi.advanceTimersByTime(40);
    expect(run.mock.calls).toEqual([[2]]);
  });

  test('restarts the delay with each call if the timer is reset', () => {
    const run = vi.fn();
    const debounced = debounce(run, 100, true);
    debounced();
    vi.advanceTimersByTime(60);
    debounced();
    vi.advanceTimersByTime(60);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(40);
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('runs a pending call immediately on run(), if there is one', () => {
    const debounced = debounce((n: number) => n * 2, 100);
    debounced(4);
    expect(debounced.run()).toBe(8);
    expect(debounced.run()).toBeUndefined();
    debounced(1);
    debounced.cancel();
    expect(debounced.run()).toBeUndefined();
  });
});

describe('requestUrl', () => {
  afterEach(() => vi.unstubAllGlobals());

  test('returns status, headers and body, and a promise for the JSON', async () => {
    vi.stubGlobal('fetch', () =>
      Promise.resolve(new Response('{"a":1}', { status: 200, headers: { 'x-y': 'z' } })),
    );
    expect(await requestUrl('https://example.org').json).toEqual({ a: 1 });
    const { status, headers, text } = await requestUrl({ url: 'https://example.org' });
    expect([status, headers['x-y'], text]).toEqual([200, 'z', '{"a":1}']);
  });

  test('rejects a status of 400 and above unless throw is false', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('no', { status: 404 })));
    await expect(requestUrl('https://example.org')).rejects.toMatchObject({ status: 404 });
    expect((await requestUrl({ url: 'https://example.org', throw: false })).status).toBe(404);
  });
});
