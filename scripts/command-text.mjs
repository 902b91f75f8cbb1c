/**
 * Marks options, environment variables and the placeholders of a command's syntax as code. Other
 * words in capitals, such as JSON, are ordinary words.
 * @param {string} text
 * @param {string} [syntax]
 * @returns {string}
 */
export function markdownText(text, syntax = '') {
  const placeholders = new Set(syntax.match(/\b[A-Z]{2,}\b/g));
  const isCode = (word) => /^--|_/.test(word) || placeholders.has(word);
  return text.replace(/--[a-z-]+(?: [A-Z]+)?|[A-Z][\w-]*\.md\b|\b[A-Z_]{2,}(?:=1)?\b/g, (word) =>
    isCode(word) || word.endsWith('.md') ? `\`${word}\`` : word,
  );
}
