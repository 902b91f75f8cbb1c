/*
 * Evaluates a plugin's file as the app does, and prints the milliseconds of parsing and of running
 * it as JSON: of CPU in Node (node evaluate.cjs FILE), and of time in pages and in the shell of
 * WebKit's engine (jsc evaluate.cjs -- FILE GLOBAL..., with the globals that Node has).
 */
const isNode = typeof process === 'object';
const [file, ...globals] = isNode ? process.argv.slice(2) : arguments;
const builtinModules = isNode ? require('node:module').builtinModules : [];

/** A class of which every member is one, too: modules of the app, and the page. */
function anything() {
  return new Proxy(class {}, {
    get: (target, name) => {
      if (name === Symbol.toPrimitive || name === 'toString') return () => '';
      return name in target || name === '__esModule' ? target[name] : anything();
    },
    apply: () => anything(),
  });
}

/** Of which plugins inherit. */
function EventEmitter() {}
for (const name of ['on', 'once', 'emit', 'removeListener', 'removeAllListeners'])
  EventEmitter.prototype[name] = () => undefined;

const page = ['document', 'localStorage', 'HTMLElement', 'Element', 'customElements', 'location'];
for (const name of ['process', 'navigator', ...page, ...globals])
  if (!(name in globalThis)) globalThis[name] = anything();
for (const name of ['window', 'self', 'global', 'activeWindow']) globalThis[name] = globalThis;
globalThis.addEventListener = () => undefined;

function now() {
  if (!isNode) return preciseTime() * 1000;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const isBuiltin = (name) => builtinModules.includes(name.replace('node:', ''));
const load = (name) =>
  isBuiltin(name) ? require(name) : name === 'events' ? EventEmitter : anything();
const code = isNode ? require('node:fs').readFileSync(file, 'utf8') : readFile(file);
const start = now();
const run = (0, eval)(`(function anonymous(require,module,exports){${code}\n})`);
const parsed = now();
const evaluated = { exports: {} };
run(load, evaluated, evaluated.exports);
const result = JSON.stringify({ parsing: parsed - start, running: now() - parsed });
if (isNode) process.stdout.write(result);
else print(result);
(isNode ? process.exit : quit)();
