import { expect, it } from 'vitest';
import { NO_ACTIVITY, type Activity } from '../../src/apps/transcripts/activity.js';
import { buildCheckpoint, type SessionFolders } from '../../src/capture/build-checkpoint.js';

const FOLDERS: SessionFolders = {
  project: ['/link/app', '/home/me/app'],
  working: '/home/me/app/src',
  vault: ['/home/me/vault'],
  home: '/home/me',
  excluded: ['/home/me/app/private'],
};
const activity = (given: Partial<Activity>): Activity => ({ ...NO_ACTIVITY, ...given });
const touched = (path: string, isWritten = true) => ({ path, isWritten, call: path });

it('stores paths of the project, of the vault, or only names', () => {
  const files = [
    touched('/home/me/app/private/key.ts'),
    touched('/etc/hosts'),
    touched('/home/me/vault/Notes/a.md'),
    touched('./b.ts'),
    touched('/link/app/src/a.ts', false),
    touched('/home/me/app/src/a.ts'),
    touched('C:\\other\\c.ts', false),
  ];
  const { written, read } = buildCheckpoint(activity({ files }), FOLDERS);
  expect(written).toEqual(['project:src/a.ts', 'project:src/b.ts', 'Notes/a.md', 'outside:hosts']);
  expect(read).toEqual(['outside:c.ts']);
});

it('names the newest twenty files, and counts all', () => {
  const files = Array.from({ length: 30 }, (_, index) => touched(`/home/me/app/${index}.ts`));
  const checkpoint = buildCheckpoint(activity({ files }), FOLDERS);
  expect(checkpoint.written).toHaveLength(20);
  expect(checkpoint.written[0]).toBe('project:29.ts');
  expect(checkpoint).toMatchObject({ writtenCount: 30, read: [], readCount: 0 });
});

it('contains no absolute path in its texts', () => {
  const run = (command: string, isSuccess: boolean) => ({ call: command, command, isSuccess });
  const checkpoint = buildCheckpoint(
    activity({
      request: 'Look at /home/me/app/src/a.ts, "/var/lib/x/y.db" and file:///srv/www/z',
      answer: 'See ~/notes/b.md and C:\\Users\\me\\c.txt; https://example.com/a/b stays',
      commands: [run('cat /opt/tool/log.txt', false), run('ls /home/me/app', true)],
      todos: [{ id: '1', text: 'Move /home/me/other/d.ts', isDone: false }],
    }),
    FOLDERS,
    { fromState: 'state' },
  );
  expect(checkpoint).toMatchObject({
    request: 'Look at src/a.ts, "…/y.db" and …/z',
    answer: 'See …/b.md and …/c.txt; https://example.com/a/b stays',
    failed: ['cat …/log.txt'],
    passed: ['ls .'],
    todos: [{ text: 'Move …/d.ts', isDone: false }],
    fromState: 'state',
  });
});
