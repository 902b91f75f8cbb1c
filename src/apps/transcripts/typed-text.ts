import { withoutCommand } from '../../model/text/user-message.js';

/** Tags around what nobody has typed. Other tags may begin what a person has typed about markup. */
const TAGS = [
  '(?:command|local-command|task|teammate|agent|subagent|team|system|user-prompt|user-memory)[-_][\\w-]+',
  'bash-(?:input|stdout|stderr)',
  'ide_[\\w-]+',
  '(?:environment|session|hook|user_shell)_(?:context|command)',
  '(?:user|permissions|skills|apps|plugins|personality_spec|collaboration_mode)[_ ]?instructions',
  '[\\w-]+[-_]hook',
  'hook_prompt|turn_aborted|skill|new-diagnostics|channel|tick|persisted-output',
].join('|');

/** A wrapped text, or the rest of the message if it does not end. */
const WRAPPED = new RegExp(`<(${TAGS})(?=[\\s>])[^>]*>(?:[\\s\\S]*?</\\1>|[\\s\\S]*)`, 'y');

/** Messages that apps, their hooks and this program write in the name of the user. */
const NOT_TYPED =
  /^(?:\[Request interrupted by user|Caveat: The messages below|\w+ hook (?:feedback|(?:blocking )?error)\b|Brief of workspace "|Load a saved state \(|Save the state of this conversation \(|# AGENTS\.md instructions for |This session is being continued from a previous conversation|Base directory for this skill:|Another \w+ session sent a message)/;

/** Returns what a person has typed, or `''`. A command counts if it asks for something. */
export function typedText(text: string): string {
  let rest = text.trimStart();
  for (;;) {
    WRAPPED.lastIndex = 0;
    const [wrapped] = WRAPPED.exec(rest) ?? [];
    if (wrapped === undefined) break;
    rest = rest.slice(wrapped.length).trimStart();
  }
  if (rest === '') return typedCommand(text);
  return NOT_TYPED.test(rest) ? '' : withoutHookContext(rest);
}

/** Returns the command that a person has typed, if it asks for something. */
function typedCommand(text: string): string {
  const [name, rest] = [tagged(text, 'command-name'), tagged(text, 'command-args')];
  const command = `${name} ${rest}`;
  return name !== '' && rest !== '' && withoutCommand(command) !== '' ? command : '';
}

function tagged(text: string, tag: string): string {
  const at = text.indexOf(`<${tag}>`);
  const end = text.indexOf(`</${tag}>`, at);
  return at < 0 || end < 0 ? '' : text.slice(at + tag.length + 2, end).trim();
}

const HOOK_CONTEXT = /<hook_context>[\s\S]*?<\/hook_context>/g;

/** Removes the text that hooks have added to a message. */
export function withoutHookContext(text: string): string {
  return text.replace(HOOK_CONTEXT, '').trim();
}
