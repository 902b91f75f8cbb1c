import { describe, expect, it } from 'vitest';
import { chatAgentFromCommand, findKnownChatAgent } from '../../src/acp/known-chat-agents.js';

describe('agentFromCommand', () => {
  it.each([
    ['opencode acp', 'opencode', 'opencode'],
    ['  /opt/bin/opencode   acp --print-logs ', 'opencode', 'opencode'],
    ['C:\\tools\\gemini.cmd --acp', 'gemini', 'Gemini CLI'],
  ])('recognizes %j, so that its permission settings hold', (typed, id, title) => {
    const agent = chatAgentFromCommand(typed);
    expect(agent).toMatchObject({ id, title });
    expect(findKnownChatAgent(agent!.id)?.title).toBe(title);
    expect(typed.trim().split(/\s+/)).toEqual([agent!.command, ...agent!.args]);
  });

  it.each([
    ['opencode serve', 'opencode'],
    ['./my-agent --verbose', 'my-agent'],
    ['gemini', 'gemini'],
  ])('returns %j as an agent of its own', (typed, title) => {
    expect(chatAgentFromCommand(typed)).toMatchObject({ id: `custom-${typed}`, title });
  });

  it('returns undefined if nothing was typed', () => {
    expect(chatAgentFromCommand('  ')).toBeUndefined();
  });
});
