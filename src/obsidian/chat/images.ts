import type { TFile } from 'obsidian';
import { imageType } from '../../chat/data-source.js';
import type { DataPart, Message, MessagePart } from '../../model/message.js';
import { Refusal } from '../../model/refusal.js';
import { visibleText } from '../../model/text/visible-text.js';
import { text } from '../i18n/index.js';
import { CHAT_AGENT_PROVIDER, type ModelRef } from '../models/model-ref.js';
import type { ModelRegistry } from '../models/model-registry.js';
import type { Savepoint } from '../savepoint.js';
import { isOffered } from '../ui/forms/offered-path.js';

export type ImageModels = Pick<ModelRegistry, 'takesImages' | 'nameOf'>;

/** Providers take 5 MB of an image in Base64, which is a third larger. `unfitImage` states this. */
const MAX_IMAGE_BYTES = 3_500_000;

/** Throws a `Refusal` if the model is known to take no images. */
export async function requireImageModel(models: ImageModels, ref?: ModelRef): Promise<void> {
  if (ref && (await models.takesImages(ref)) === false)
    throw new Refusal(text.chat.failures.noImages(models.nameOf(ref)));
}

/** Stores an image where the app puts attachments. Throws a `Refusal` if it cannot be sent. */
export async function storeImage(
  savepoint: Savepoint,
  file: File,
  prefix: string,
): Promise<string> {
  const { fileManager, vault } = savepoint.app;
  const path = await fileManager.getAvailablePathForAttachment(`${prefix}${file.name}`);
  checkImage(savepoint, path, file.size);
  await vault.createBinary(path, await file.arrayBuffer());
  return path;
}

/** Returns an image of the vault as a message part. Throws a `Refusal` if it cannot be sent. */
export function imagePart(savepoint: Savepoint, { path, stat }: TFile): DataPart {
  checkImage(savepoint, path, stat.size);
  return { type: 'data', source: `the image "${path}"`, text: '', path };
}

function checkImage(savepoint: Savepoint, path: string, bytes: number): void {
  if (imageType(path) === undefined || bytes > MAX_IMAGE_BYTES || !isOffered(savepoint, path))
    throw new Refusal(text.chat.failures.unfitImage(visibleText(path)));
}

/**
 * Returns messages with their images as these are now: not those that an earlier answer refused,
 * and only those of the newest message for an agent. Throws a `Refusal` if the model takes none.
 */
export async function withImages(
  { savepoint, models }: { readonly savepoint: Savepoint; readonly models: ImageModels },
  path: readonly Message[],
  ref: ModelRef | undefined,
): Promise<readonly Message[]> {
  const hasImage = ({ parts }: Message) => parts.some(isImage);
  if (!ref || !path.some(hasImage)) return path;
  if (path.slice(-1).some(hasImage)) await requireImageModel(models, ref);
  const isAgent = ref.provider === CHAT_AGENT_PROVIDER;
  const isOnlyNewest = isAgent || (await models.takesImages(ref)) === false;
  const sent = path.map(async (message, at) => {
    const reply = path[at + 1];
    const isRefused = reply?.end === 'failed' && reply.parts.length === 0;
    const isSent = !reply || !(isOnlyNewest || isRefused);
    const parts = message.parts.map((part) => withBytes(savepoint, part, isSent));
    return { ...message, parts: await Promise.all(parts) };
  });
  return Promise.all(sent);
}

async function withBytes(
  savepoint: Savepoint,
  part: MessagePart,
  isSent: boolean,
): Promise<MessagePart> {
  if (!isImage(part)) return part;
  const { vault } = savepoint.app;
  const file = isSent && isOffered(savepoint, part.path) ? vault.getFileByPath(part.path) : null;
  if (!file) return part;
  const data = toBase64(new Uint8Array(await vault.readBinary(file)));
  return { ...part, image: { mimeType: imageType(part.path) ?? '', data } };
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}

export function isImage(part: MessagePart): part is DataPart & { readonly path: string } {
  return part.type === 'data' && imageType(part.path ?? '') !== undefined;
}
