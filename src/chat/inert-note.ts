/** Nothing that is seen, and no blank that a plugin would trim away. */
const JOINER = '\u2060';

/** Languages that the app only colours. A block in any other may be run by a plugin that is made for it. */
const COLOURED =
  /^(?:bash|sh|shell|zsh|powershell|c|cpp|csharp|cs|css|scss|diff|dockerfile|go|graphql|html|http|ini|java|javascript|js|jsx|json|kotlin|latex|lua|makefile|markdown|md|nix|objectivec|perl|php|python|py|r|ruby|rb|rust|rs|scala|sql|swift|text|toml|tsx|typescript|ts|txt|xml|yaml|yml)$/i;

/**
 * Markdown that may be kept in a note: it is formatted as it was, and nothing in it loads, embeds, hides or runs. Blocks of code are
 * fenced anew, from the margin, so that the app sees their ends where this does.
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
      } else code.lines.push(line);
    } else if (fence !== undefined) code = { fence, language: info, lines: [] };
    else out.push(inertLine(line));
  }
  if (code) out.push(codeBlock(code)); // cut off before its end
  return out.join('\n');
}

function codeBlock({ language, lines }: { language: string; lines: readonly string[] }): string {
  const whole = lines.join('\n').replaceAll('<%', `<${JOINER}%`);
  const longest = Math.max(2, ...Array.from(whole.matchAll(/`+/gu), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${COLOURED.test(language) ? language : ''}\n${whole}\n${fence}`;
}

/** HTML stays text, an image or embed becomes a link, a comment is seen, and what begins like a query in code is none. */
function inertLine(line: string): string {
  return line
    .replace(/<(?=[A-Za-z/!?%])/gu, `\\<${JOINER}`)
    .replaceAll('%%', '\\%\\%')
    .replace(/!(?=\[)/gu, '')
    .replace(/(`+)(?=\s*\$?=)/gu, `$1${JOINER}`)
    .replace(/`{3,}|~{3,}/gu, (run) => Array.from(run, (mark) => `\\${mark}`).join(''));
}
