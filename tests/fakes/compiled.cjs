/**
 * Preloaded into processes that run main.js (`node --require`), so that V8 compiles it once and not
 * in each. The first process that ends keeps what it compiled, as the installed program does.
 */
'use strict';

const { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('fs');
const Module = require('module');
const { dirname, join } = require('path');
const { Script } = require('vm');

const PROGRAM = join(__dirname, '../../main.js');
const FOLDER = join(__dirname, '../../node_modules/.cache/savepoint-compiled');

const load = Module._extensions['.js'];
Module._extensions['.js'] = (module, file) => {
  if (file !== PROGRAM) return load(module, file);
  // V8 compares the length of the source only.
  const kept = join(FOLDER, `${process.version}-${statSync(file).mtimeMs}`);
  const script = new Script(Module.wrap(readFileSync(file, 'latin1')), {
    filename: file,
    ...(existsSync(kept) && { cachedData: readFileSync(kept) }),
  });
  if (!existsSync(kept)) process.once('exit', () => keep(kept, script.createCachedData()));
  const run = script.runInThisContext();
  run.call(module.exports, module.exports, Module.createRequire(file), module, file, dirname(file));
};

function keep(path, data) {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${path}.${process.pid}`, data);
  renameSync(`${path}.${process.pid}`, path);
}
