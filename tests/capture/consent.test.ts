import { describe, expect, it } from 'vitest';
import {
  CAPTURE_LEVELS,
  captureText,
  consentTo,
  gapsIn,
  isExcluded,
  withGaps,
  type CaptureLevel,
  type CaptureSettings,
  type ProjectLink,
} from '../../src/capture/consent.js';

const NOW = Date.parse('2026-11-24T10:00:00Z');
const LINK: ProjectLink = {
  project: 'key',
  folder: '/home/ana/app',
  keys: [],
  vault: '/vault',
  workspaceId: 'ws',
  workspaceName: 'App',
  capture: 'all',
};
const SETTINGS: CaptureSettings = { links: [LINK], excludedFolders: ['/home/ana/app/private'] };
const FOLDERS = ['/home/ana/app'];

it('captures a session if the link says so', () => {
  expect(consentTo(SETTINGS, LINK, FOLDERS, NOW)).toEqual({ isCaptured: true });
  const at = (capture: CaptureLevel) =>
    consentTo(SETTINGS, { ...LINK, capture }, FOLDERS, NOW)?.isCaptured;
  expect(CAPTURE_LEVELS.map(at)).toEqual([false, true, true]);
});

it.each([
  ['off', 'capture is off'],
  ['task', 'capture is limited to the task'],
  ['all', 'capture is on'],
] as const)('the level %s is told as "%s"', (capture, text) => {
  expect(captureText(SETTINGS, { ...LINK, capture }, NOW)).toBe(text);
});

it('ignores excluded folders, however they are spelled', () => {
  for (const folder of [
    '/home/ana/app/private',
    '/home/ana/app/private/deep',
    '/home/ana//app/./x/../Private/',
  ])
    expect(consentTo(SETTINGS, LINK, ['/home/ana/app', folder], NOW)).toBeUndefined();
  expect(consentTo(SETTINGS, LINK, ['/home/ana/app/private2'], NOW)).toBeDefined();
  expect(isExcluded({ excludedFolders: ['C:\\a'] }, 'c:\\A\\b')).toBe(true);
  const composed = '/home/ana/caf\u00e9';
  expect(isExcluded({ excludedFolders: [composed] }, composed.normalize('NFD'))).toBe(true);
});

it('captures nothing before a pause is over', () => {
  const pausedUntil = '2026-11-24T11:00:00.000Z';
  const paused = { ...SETTINGS, pausedUntil };
  expect(consentTo(paused, LINK, FOLDERS, NOW)).toMatchObject({ isCaptured: false });
  const later = Date.parse(pausedUntil);
  expect(consentTo(paused, LINK, FOLDERS, later)).toMatchObject({ isCaptured: true });
});

describe('the times at which nothing is captured', () => {
  const EMPTY: CaptureSettings = { links: [], excludedFolders: [] };
  const linked = withGaps(EMPTY, { ...EMPTY, links: [LINK] }, 100);
  const gapsAfter = (settings: CaptureSettings, folder = LINK.folder) =>
    gapsIn(settings, settings.links[0] ?? LINK, folder).slice(1);

  it('begin with everything before the link', () => {
    const [link] = linked.links;
    expect(gapsIn(linked, link!, LINK.folder)).toEqual([{ from: -Infinity, to: 100 }]);
    const moved = [{ ...link!, workspaceId: 'other' }];
    const again = withGaps(linked, { ...linked, links: moved }, 200);
    expect(again.links[0]?.since).toBe(new Date(200).toISOString());
    expect(withGaps(again, { ...again, links: [LINK] }, 300).links[0]?.since).not.toBe(link?.since);
  });

  it('are those of a pause, which may end early', () => {
    const paused = withGaps(linked, { ...linked, pausedUntil: new Date(900).toISOString() }, 200);
    expect(gapsAfter(paused)).toEqual([{ from: 200, to: 900 }]);
    const { pausedUntil: _, ...rest } = paused;
    expect(gapsAfter(withGaps(paused, rest, 300))).toEqual([{ from: 200, to: 300 }]);
    const longer = { ...paused, pausedUntil: new Date(1900).toISOString() };
    expect(gapsAfter(withGaps(paused, longer, 1000))).toEqual([
      { from: 200, to: 900 },
      { from: 1000, to: 1900 },
    ]);
  });

  it('are those at which capture was off, and a folder was excluded', () => {
    const off = withGaps(linked, { ...linked, links: [{ ...LINK, capture: 'off' }] }, 200);
    const on = withGaps(off, { ...off, links: [LINK] }, 300);
    expect(gapsAfter(on)).toEqual([{ from: 200, to: 300 }]);
    const excluded = withGaps(on, { ...on, excludedFolders: ['/home/ana/app'] }, 400);
    expect(gapsIn(excluded, LINK, '/home/ana/app/x')).toEqual([{ from: -Infinity, to: Infinity }]);
    const included = withGaps(excluded, { ...excluded, excludedFolders: [] }, 500);
    expect(gapsAfter(included, '/home/ana/app/x')).toEqual([
      { from: 200, to: 300 },
      { from: 400, to: 500 },
    ]);
    expect(gapsAfter(included, '/elsewhere')).toEqual([{ from: 200, to: 300 }]);
  });

  it('are those at which an excluded folder was gone, since the call before', () => {
    const observe = (settings: CaptureSettings, at: number) =>
      withGaps(settings, settings, at, [LINK.project]);
    const gone = [100, 300, 290].reduce(observe, SETTINGS);
    const gapsAt = (calls: readonly number[]) => gapsIn(gone, LINK, LINK.folder, { calls });
    expect(gapsAt([20, 50, 100, 200])).toContainEqual({ from: 50, to: 300 });
    expect(gapsAt([])).toContainEqual({ from: -Infinity, to: 300 });
    const other = { ...LINK, project: 'other' };
    expect(gapsIn(gone, other, LINK.folder)).not.toContainEqual({ from: -Infinity, to: 300 });
  });

  it('are those at which a folder was linked, for the project around it', () => {
    const inner = { ...LINK, project: 'inner', folder: '/home/ana/app/inner' };
    const both = withGaps(linked, { ...linked, links: [...linked.links, inner] }, 200);
    const after = withGaps(both, { ...both, links: linked.links }, 300);
    const [outer] = after.links;
    expect(gapsIn(after, outer!, `${inner.folder}/x`)).toContainEqual({ from: 200, to: 300 });
    expect(gapsIn(after, outer!, LINK.folder)).not.toContainEqual({ from: 200, to: 300 });
    expect(gapsIn(after, inner, inner.folder)).not.toContainEqual({ from: 200, to: 300 });
  });

  it('are none at which only the task was captured', () => {
    const task = withGaps(linked, { ...linked, links: [{ ...LINK, capture: 'task' }] }, 200);
    expect(gapsAfter(withGaps(task, { ...task, links: [LINK] }, 300))).toEqual([]);
  });

  it('are joined if there are very many, and none is lost', () => {
    let settings = linked;
    for (let at = 1000; at < 4000; at += 2) {
      settings = withGaps(
        settings,
        { ...settings, pausedUntil: new Date(at + 9).toISOString() },
        at,
      );
      const { pausedUntil: _, ...rest } = settings;
      settings = withGaps(settings, rest, at + 1);
    }
    const gaps = gapsAfter(settings);
    // one more is that of the link
    expect(gaps).toHaveLength(999);
    const times = Array.from({ length: 1500 }, (_, index) => 1000 + 2 * index);
    const isLost = (at: number) => !gaps.some(({ from, to }) => from <= at && at < to);
    expect(times.filter(isLost)).toEqual([]);
  });
});
