/*
 * Evaluates a plugin's file in this Node as the app does, and prints the CPU milliseconds of parsing
 * and of running it as JSON: node evaluate.cjs FILE.
 */
const { readFileSync } = require('node:fs');
const { builtinModules } = require('node:module');

/** A class of which every member is one, too: modules of the app, and the page. */
function anything() {
  return new Proxy(class {}, {
    get: (target, name) => {
      if (name === Symbol.toPrimitive || name === 'toString') return () => '';
      return name in target ? target[name] : anything();
    },
    apply: () => anything(),
  });
}

const page = ['document', 'localStorage', 'HTMLElement', 'Element', 'customElements', 'location'];
for (const name of page) globalThis[name] = anything();
for (const name of ['window', 'self', 'activeWindow']) globalThis[name] = globalThis;
globalThis.addEventListener = () => undefined;

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const isBuiltin = (name) => builtinModules.includes(name.replace('node:', ''));
const load = (name) => (isBuiltin(name) ? require(name) : anything());
const code = readFileSync(process.argv[2], 'utf8');
const start = cpuMs();
const run = (0, eval)(`(function anonymous(require,module,exports){${code}\n})`);
const parsed = cpuMs();
const evaluated = { exports: {} };
run(load, evaluated, evaluated.exports);
process.stdout.write(JSON.stringify({ parsing: parsed - start, running: cpuMs() - parsed }));
process.exit();
