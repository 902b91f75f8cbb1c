import { describe, expect, it } from 'vitest';
import type { JsonObject, LogEvent } from '../../src/model/event.js';
import { emptyMemory, fold } from '../../src/model/memory.js';
import { stateData, type StateContent } from '../../src/model/state.js';
import { visibleText } from '../../src/model/text/visible-text.js';
import { exportNotes } from '../../src/transfer/export-notes.js';
import { clockText, contentOf, eventOf, workspaceDraft } from '../fakes/events.js';
import { HOSTILE_NAMES } from '../storage/hostile-names.js';

const decoder = new TextDecoder();
let count = 0;

function workspace(name: string, id: string, more: JsonObject = {}): LogEvent {
  return eventOf({ ...workspaceDraft(name, id, more), n: ++count, h: clockText(count) });
}

function state(name: string, ws: string, more: Partial<StateContent> = {}): LogEvent {
  return eventOf({
    t: 'state.new',
    e: `st${++count}`,
    d: stateData(ws, contentOf(name, more), `sha${count}`),
    n: count,
    h: clockText(count),
  });
}

function set(e: string, d: JsonObject): LogEvent {
  return eventOf({ t: 'set', e, d, n: ++count, h: clockText(count) });
}

function notesOf(...events: LogEvent[]): Map<string, string> {
  return new Map(
    exportNotes(fold(emptyMemory, events)).map(({ path, bytes }) => [path, decoder.decode(bytes)]),
  );
}

describe('exportNotes', () => {
  it('names the client and the device that saved a state', () => {
    const by = { client: 'claude-code', session: 's', device: 'Ana"s laptop' };
    const saved = eventOf({
      t: 'state.new',
      e: 'st-by',
      d: stateData('default', contentOf('Outline'), 'sha', { by }),
    });
    const note = notesOf(saved).get('Default/Outline.md');
    expect(note).toContain('client: "Claude Code"\ndevice: "Ana\\"s laptop"\n---');
  });

  it('writes a folder per workspace and a note per state', () => {
    const saved = state('Outline', 'w', {
      conversationContext: 'We agreed.\n\nOn *two* things.',
      activeTask: 'Write',
      activeFiles: ['Garden/Beds.md', 'C:/x'],
      nextSteps: ['Draft', 'Check\ntwice'],
      description: 'Chapters',
      tags: ['draft', 'a b'],
    });
    const notes = notesOf(
      workspace('Garden', 'w', { keyFiles: ['Garden/Beds.md'], preferences: { tone: 'dry' } }),
      saved,
    );
    expect([...notes.keys()]).toEqual([
      'README.md',
      'Default/_workspace.md',
      'Garden/_workspace.md',
      'Garden/Outline.md',
    ]);
    expect(notes.get('Garden/Outline.md')).toBe(`---
name: "Outline"
workspace: "Garden"
created: ${saved.h.slice(0, 24)}
archived: false
tags:
  - "draft"
  - "a b"
task: "Write"
---

# Outline

Chapters

## Context

We agreed.

On \\*two\\* things.

## Next steps

1. Draft
1. Check
   twice

## Files

- [[Garden/Beds.md]]
- C\\:/x
`);
    expect(notes.get('Garden/_workspace.md')).toMatch(
      /^---\nname: "Garden"\ncreated: \S+\narchived: false\nfolder: "Notes"\n---\n\n# Garden\n\nAbout Garden\n\n## Purpose\n\nTo test\n\n## Key files\n\n- \[\[Garden\/Beds\.md\]\]\n\n## Preferences\n\n```json\n\{\n {2}"tone": "dry"\n\}\n```\n\n## States\n\n- \[\[Garden\/Outline\]\] \(2026-11-20\)\n$/,
    );
  });

  it('includes archived, renamed, twin and orphaned states', () => {
    const [one, two] = [state('Plan', 'w'), state('plan', 'w')];
    const notes = notesOf(
      workspace('Old name', 'w'),
      set('w', { '/name': 'New name', '/isArchived': true }),
      one,
      two,
      set(one.e, { '/isArchived': true }),
      state('Lost', 'nowhere'),
    );
    expect([...notes.keys()]).toEqual([
      'README.md',
      'Default/_workspace.md',
      'New name/_workspace.md',
      `New name/plan ⟨${two.e.slice(0, 4)}⟩.md`,
      'New name/Plan.md',
      'Workspace missing/Lost.md',
    ]);
    expect(notes.get('New name/_workspace.md')).toContain('archived: true');
    expect(notes.get('New name/Plan.md')).toContain('archived: true');
    expect(notes.get('Workspace missing/Lost.md')).toContain('workspace: "missing (nowhere)"');
  });

  it('returns the same notes for any order of events', () => {
    const events = [workspace('Garden', 'w'), state('A?', 'w'), state('A*', 'w'), state('a', 'w')];
    expect([...notesOf(...events)]).toEqual([...notesOf(...[...events].reverse())]);
  });

  it.each(HOSTILE_NAMES)('writes safe file names for items named %j', (name, file) => {
    const notes = notesOf(
      workspace(name, 'w'),
      state(name, 'w', {
        conversationContext: name,
        activeTask: name,
        activeFiles: [name],
        nextSteps: [name],
      }),
    );
    const made = [...notes.keys()].filter(
      (path) => path !== 'README.md' && !path.startsWith('Default/'),
    );
    expect(made).toEqual([`${file}/_workspace.md`, `${file}/${file}.md`]);
    const text = notes.get(made[1]!)!;
    const [, head, body] = /^---\n(.*?)\n---\n(.*)$/su.exec(text)!;
    expect(JSON.parse(/^name: (.*)$/mu.exec(head!)![1]!)).toBe(
      visibleText(name.replace(/\p{Surrogate}/gu, '\u{FFFD}')),
    );
    expect(head).not.toMatch(/[<%`]/u);
    const unmarked = body!
      .replace(/\\[^a-z\s]/gu, '')
      .replaceAll('&nbsp;', '')
      .replace(/\[\[[^\]]*\]\]/gu, '')
      .replace(/^#+ /gmu, '');
    expect(unmarked).not.toMatch(/[<>`[\]{}#%$!&=]/u);
  });

  it('gives hostile names in one workspace unique files', () => {
    const names = HOSTILE_NAMES.map(([name]) => name);
    const notes = notesOf(
      workspace('W', 'w'),
      ...names.map((name) => state(name, 'w')),
      ...['_workspace', 'PLAN', 'plan.'].map((name) => state(name, 'w')),
    );
    const paths = [...notes.keys()].filter((path) => path.startsWith('W/'));
    expect(new Set(paths.map((path) => path.normalize('NFKC').toLowerCase())).size).toBe(
      names.length + 4,
    );
    for (const path of paths)
      expect(path).toMatch(/^W\/[^/\\<>:"|?*\p{Cc}.][^/\\<>:"|?*\p{Cc}]*\.md$/u);
  });

  it('explains in the README that notes cannot be imported', () => {
    expect(notesOf().get('README.md')).toMatch(
      /^# A memory, as notes\n\nEach folder is a Savepoint workspace, [^]+ They cannot be imported; [^]+\.\n$/,
    );
  });

  it('lists workflows and states, and omits empty sections', () => {
    const notes = notesOf(
      workspace('W', 'w', { description: ' ', workflows: ['Sow', 'Reap'] }),
      state('One', 'w'),
      state('Two', 'w'),
    );
    expect(notes.get('W/_workspace.md')).toMatch(
      /\n---\n\n# W\n\n## Purpose\n\nTo test\n\n## Workflows\n\n1\. Sow\n1\. Reap\n\n## States\n\n- \[\[W\/Two\]\] \(2026-11-20\)\n- \[\[W\/One\]\] \(2026-11-20\)\n$/,
    );
  });

  it('writes a folder for each missing workspace, sorted by id', () => {
    const notes = notesOf(state('One', 'zz'), state('Two', 'aa'));
    expect([...notes.keys()].slice(2)).toEqual([
      'Workspace missing/Two.md',
      'Workspace missing (2)/One.md',
    ]);
  });

  it('keeps a workspace named README apart from the README', () => {
    expect([...notesOf(workspace('readme.md', 'w')).keys()]).toContain(
      'readme.md (2)/_workspace.md',
    );
  });
});
