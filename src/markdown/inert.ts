/** The word joiner is invisible, and no plugin trims it as white space. */
const WORD_JOINER = '\u2060';

/** The app only highlights these. A plugin may execute code blocks in any other language. */
export const HIGHLIGHTED_LANGUAGES =
  /^(?:bash|sh|shell|zsh|powershell|c|cpp|csharp|cs|css|scss|diff|dockerfile|go|graphql|html|http|ini|java|javascript|js|jsx|json|kotlin|latex|lua|makefile|markdown|md|nix|objectivec|perl|php|python|py|r|ruby|rb|rust|rs|scala|sql|swift|text|toml|tsx|typescript|ts|txt|xml|yaml|yml)$/i;

/**
 * Keeps the formatting, but nothing that loads, embeds, hides or runs. Gives code blocks new fences
 * without indentation, so that the app agrees on where a block ends.
 */
export function inertMarkdown(markdown: string): string {
  const out: string[] = [];
  let code: { fence: string; language: string; lines: string[] } | undefined;
  for (const line of markdown.replace(/\r\n?|[\u0085\u2028\u2029]/gu, '\n').split('\n')) {
    const [, fence, info = ''] = /^\s*(`{3,}|~{3,})\s*([^\s`]*)/u.exec(line) ?? [];
    if (code) {
      if (fence !== undefined && fence.startsWith(code.fence) && info === '') {
        out.push(codeBlock(code));
        code = undefined;
      } else {
        code.lines.push(line);
      }
    } else if (fence !== undefined) {
      code = { fence, language: info, lines: [] };
    } else {
      out.push(inertLine(line));
    }
  }
  if (code) out.push(codeBlock(code)); // the text ends inside a code block
  return out.join('\n');
}

function codeBlock({ language, lines }: { language: string; lines: readonly string[] }): string {
  const whole = lines.join('\n').replaceAll('<%', `<${WORD_JOINER}%`);
  let longest = 2;
  for (const [run] of whole.matchAll(/`+/gu)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${HIGHLIGHTED_LANGUAGES.test(language) ? language : ''}\n${whole}\n${fence}`;
}

/** Keeps HTML as text, links images and embeds, shows comments, and disables inline queries. */
function inertLine(line: string): string {
  return line
    .replace(/<(?=[A-Za-z/!?%])/gu, `\\<${WORD_JOINER}`)
    .replaceAll('%%', '\\%\\%')
    .replace(/!(?=\[)/gu, '')
    .replace(/`+(?=(\s*\$?=)?)/gu, (run, query?: string) =>
      query === undefined ? run : `${run}${WORD_JOINER}`,
    )
    .replace(/`{3,}|~{3,}/gu, (run) => Array.from(run, (mark) => `\\${mark}`).join(''));
}
