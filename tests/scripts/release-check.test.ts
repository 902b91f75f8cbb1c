import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import packageFile from '../../package.json';
import { pictureProblems, publishingSteps } from '../../scripts/release-check.mjs';

describe("the store's pictures", () => {
  const png = (width: number, height: number) => {
    const bytes = Buffer.from('\x89PNG\r\n\x1a\n____IHDR________', 'latin1');
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    return bytes;
  };
  const wide = { 'some-1200x800.png': png(1200, 800) };
  const tall = { 'some-900x1600.png': png(900, 1600) };

  it('have no problem with the sizes in their names', () => {
    expect(pictureProblems({ ...wide, ...tall })).toEqual([]);
  });

  it('are refused with another size', () => {
    expect(pictureProblems({ ...wide, ...tall, 'other-900x1600.png': png(360, 640) })).toEqual([
      "The store's picture other-900x1600.png has 360x640 pixels.",
    ]);
  });

  it('are refused if there is none of a size', () => {
    expect(pictureProblems(wide)).toEqual(["The store's pictures have none of 900x1600."]);
  });
});

describe('the steps that only a person can do', () => {
  const manifest = readFileSync('manifest.json', 'utf8');
  const steps = publishingSteps({ 'manifest.json': manifest, 'package.json': '{}' });

  it('begin with the repository and end with the entries, each with a command', () => {
    expect(steps.map(({ what }) => what.split(',')[0])).toEqual([
      'Create the public repository',
      'Set authorUrl in manifest.json to a public page of the author',
      'Set repository',
      'Try the plugin in Obsidian itself',
      'Set the version and the day in the changelog',
      'Push the tag',
      'Check that the draft is what this source builds',
      'Publish the draft',
      'Make the pictures for the store',
      'Submit the plugin to the store',
      'Publish the entry of the MCP registry',
    ]);
    const scripts = steps.flatMap(({ command }) =>
      [...command.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name),
    );
    expect(scripts).toContain('version-bump');
    expect(scripts.filter((name) => !(name! in packageFile.scripts))).toEqual([]);
  });

  it('do not include what is done', () => {
    const address = 'https://example.org';
    const done = publishingSteps({
      'manifest.json': JSON.stringify({ ...JSON.parse(manifest), authorUrl: address }),
      'package.json': JSON.stringify({ repository: address, homepage: address, bugs: address }),
    });
    expect(done).toHaveLength(steps.length - 2);
  });
});
