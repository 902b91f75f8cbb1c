import type { App } from 'obsidian';
import type { CaptureSettings } from '../capture/consent.js';
import { removeBriefs } from '../node/capture/brief-cache.js';
import { createCaptureSettingsFile } from '../node/capture/capture-settings-file.js';
import { preparePrivateStateFolder, stateFolderFrom } from '../node/ports/state-folder.js';
import { projectOfFolder } from '../node/projects/find-project.js';
import { linkProject, removeLinks } from '../node/capture/link-project.js';
import { NO_CAPTURE_SETTINGS, type DeviceCapture } from '../obsidian/checkpoints/device-capture.js';
import { createLocalCapture } from '../obsidian/checkpoints/local-capture.js';
import { realFolder } from '../node/real-path.js';
import { createStore } from '../obsidian/store.js';
import type { Disk } from './disk.js';

/** Returns the capture settings, on desktop shared with the command line and AI apps' hooks. */
export async function openDeviceCapture(app: App, disk: Disk | undefined): Promise<DeviceCapture> {
  if (!disk) return createLocalCapture(app);
  const { node, vault } = disk;
  const { env, platform } = node.process;
  const stateFolder = stateFolderFrom(node, env, platform);
  const file = createCaptureSettingsFile(node, stateFolder);
  const settings = createStore<CaptureSettings>(NO_CAPTURE_SETTINGS);
  const realVault = await node.fs.realpath(vault);
  const capture: DeviceCapture = {
    vault: realVault,
    settings,
    async read() {
      const read = await file.read();
      if (JSON.stringify(read) !== JSON.stringify(settings.get())) settings.set(read);
      return read;
    },
    async update(change) {
      await preparePrivateStateFolder(node, stateFolder);
      settings.set(await file.update(change));
    },
    projects: {
      async link(folder, target) {
        const project = node.path.isAbsolute(folder)
          ? await projectOfFolder(node, node.path.resolve(folder), [realVault])
          : undefined;
        if (!project) return undefined;
        await preparePrivateStateFolder(node, stateFolder);
        const link = await linkProject(node, stateFolder, file, project, {
          vault: realVault,
          ...target,
        });
        await capture.read();
        return link;
      },
      async unlink({ project, folder }) {
        await removeLinks(
          node,
          stateFolder,
          file,
          (each) => each.project === project && each.folder === folder,
        );
        await capture.read();
      },
      async setTold({ project }, tell) {
        await capture.update((stored) => ({
          ...stored,
          links: stored.links.map((each) => (each.project === project ? { ...each, tell } : each)),
        }));
        await removeBriefs(node, stateFolder, realVault);
      },
      findFolder: async (typed) =>
        node.path.isAbsolute(typed) ? realFolder(node, typed) : undefined,
    },
  };
  await capture.read();
  return capture;
}
