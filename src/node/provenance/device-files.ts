import type { DeviceAccess } from '../../platform/device-access.js';
import type { NodeModules } from '../modules.js';
import { openRegularFile } from '../open-regular-file.js';
import { createProjectFolder } from './project-folder.js';

/** Returns the access to files of a vault's folder on disk, and of projects outside it. */
export function createDeviceFiles(node: NodeModules, vault: string) {
  return {
    openFile: (file) => openRegularFile(node, node.path.join(vault, file)),
    openProject: (folder) => createProjectFolder(node, folder),
    sha256: (bytes) => node.crypto.createHash('sha256').update(bytes).digest('hex'),
  } satisfies Partial<DeviceAccess>;
}
