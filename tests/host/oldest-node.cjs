/*
 * Run before the app in Node 16.16, which Obsidian's installer 1.1.9 contains: defines what its
 * window, Chromium 106, has besides.
 */
const { Blob } = require('node:buffer');
const { webcrypto } = require('node:crypto');
const { deserialize, serialize } = require('node:v8');
const streams = require('node:stream/web');

class CustomEvent extends Event {
  constructor(type, { detail, ...options } = {}) {
    super(type, options);
    this.detail = detail;
  }
}

function domExceptionOf() {
  try {
    return atob('%');
  } catch (error) {
    return error.constructor;
  }
}

function define(object, values) {
  for (const [name, value] of Object.entries(values))
    if (!(name in object))
      Object.defineProperty(object, name, { value, writable: true, configurable: true });
}

define(globalThis, {
  ...streams,
  Blob,
  CustomEvent,
  DOMException: domExceptionOf(),
  crypto: webcrypto,
  structuredClone: (value) => deserialize(serialize(value)),
});
define(Array.prototype, {
  findLast(test) {
    return [...this].reverse().find(test);
  },
});
