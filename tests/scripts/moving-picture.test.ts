// Tier full: opens the plugin in browsers of its own, for the moving picture and the store's pictures
import { readdirSync, readFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { decode } from '../../scripts/png.mjs';
import { pictureProblems } from '../../scripts/release-check.mjs';
import { endOf, temporaryFolder } from '../fakes/program.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a script, and returns the pictures that it makes in a folder, by name. */
async function picturesOf(script: string, folder: string, args: readonly string[]) {
  const { code, stderr } = await endOf(
    spawn(process.execPath, [join(root, 'scripts', script), ...args], { cwd: root, stdio: 'pipe' }),
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const names = readdirSync(folder).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));
}

it('the moving picture is made from the real program', async () => {
  const folder = temporaryFolder('moving');
  const file = join(folder, 'moving.png');
  const frames = join(folder, 'frames');
  const made = await picturesOf('moving-picture.mjs', frames, ['--to', file, '--frames', frames]);
  expect(Object.keys(made).length).toBeGreaterThanOrEqual(8);
  const images = Object.values(made).map((png) => decode(png));
  for (const { width, height, channels } of images)
    expect([width, height, channels]).toEqual([
      images[0]?.width,
      images[0]?.height,
      images[0]?.channels,
    ]);
  const colours = images.map(({ pixels, channels }) => coloursOf(pixels, channels));
  expect(Math.min(...colours)).toBeGreaterThan(20); // a blank page has few
  const moving = readFileSync(file);
  expect(decode(moving).pixels.equals(images[0]!.pixels)).toBe(true);
  expect(moving.length).toBeLessThanOrEqual(1_500_000);
});

it("the store's pictures have its sizes", async () => {
  const folder = temporaryFolder('store');
  const made = await picturesOf('screenshots.mjs', folder, ['--store', folder]);
  expect(Object.keys(made).length).toBeGreaterThanOrEqual(6);
  expect(pictureProblems(made)).toEqual([]);
});

function coloursOf(pixels: Buffer, channels: number): number {
  const found = new Set<number>();
  for (let at = 0; at < pixels.length; at += channels) found.add(pixels.readUIntBE(at, 3));
  return found.size;
}
