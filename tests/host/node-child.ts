import 'fake-indexeddb/auto';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import type { PluginManifest } from 'obsidian';
import type { ChildMessage, ParentMessage, StartOptions } from './node-host';
import { becomeRenderer } from './node-window';
import { createHost, folderMedium, type Host } from './obsidian';

/*
 * Process of a Node host: becomes a renderer, then handles the requests of its parent, even
 * concurrent ones.
 */

let host: Host | null = null;

const send = (message: ChildMessage) => void process.send?.(message);
const textOf = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

async function start({
  vault,
  plugin,
  storageFile,
  isMobile,
  vaultName,
}: StartOptions): Promise<void> {
  const require = isMobile ? null : createRequire(path.resolve(plugin));
  becomeRenderer({ storageFile, require });
  const medium = folderMedium(vault, { fs, path });
  host = createHost({ medium, isMobile, vaultName });
  const manifest = JSON.parse(
    fs.readFileSync(path.join(path.dirname(plugin), 'manifest.json'), 'utf8'),
  ) as PluginManifest;
  await host.loadPlugin(fs.readFileSync(plugin, 'utf8'), manifest, require ?? undefined);
}

async function answer(message: ParentMessage): Promise<unknown> {
  if (message.ask === 'start') return start(message.options);
  if (!host) throw new Error('The host is not started');
  const run = (0, eval)(`(${message.source})`) as (host: Host, argument: unknown) => unknown;
  return run(host, message.argument);
}

process.on('message', (message: ParentMessage) => {
  answer(message).then(
    (value) => send({ id: message.id, value }),
    (error: unknown) => send({ id: message.id, error: textOf(error) }),
  );
});
process.on('disconnect', () => process.exit()); // the parent has ended
process.on('uncaughtException', (error) => send({ uncaught: textOf(error) }));
process.on('unhandledRejection', (error) => send({ uncaught: textOf(error) }));
