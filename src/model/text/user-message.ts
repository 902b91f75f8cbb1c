/** A command such as `/review` or `/savepoint:resume`, and the space after it. */
const COMMAND = /^\s*\/([\w-]+(?::[\w-]+)*)(?:\s+|$)/;
/** Commands of this program, and those with which people set up an app rather than give it work. */
const SETTING =
  /^(?:mcp__)?savepoint|^(?:about|add-dir|agents|approvals|auth|bug|chat|clear|color|compact|compress|config|context|copy|cost|directory|docs|editor|effort|exit|export|extensions|fast|feedback|fork|help|hooks|ide|login|logout|mcp|memory|model|mode|new|output-style|permissions|plugin|plugins|quit|reasoning|rename|resume|rewind|save|settings|skills|stats|status|statusline|tag|theme|tools|undo|usage|vim)$/;

/** Begins a greeting, thanks, or an answer to the question whether to go on. */
const COURTESY =
  /^[\s\p{P}]*(?:hi|hello|hey|hallo|moin|hola|ciao|salut|bonjour|good (?:morning|afternoon|evening|night)|morning|guten|thanks|thank you|thx|danke|merci|gracias|grazie|yes|yep|yeah|no|nope|ok|okay|sure|fine|great|perfect|please (?:do|go)|go (?:on|ahead)|continue|proceed|do (?:it|that|so)|sounds good|ja|nein|genau|weiter|mach|oui|non|vas-y|d'accord|s[iíì]|dale|adelante|sim|tak|да|нет|давай|хорошо)(?!\p{L})/iu;
/** A message of only these words asks for nothing. */
const PRAISE = new Set(
  (
    "thanks thank thx you very much so a lot really for your the this that it it's its that's is was all to me and " +
    'looks sounds works worked work job help good nice great cool awesome excellent perfect fine well ' +
    'done lovely brilliant wonderful amazing super lgtm ok okay yes i we love like appreciate ' +
    'danke dank dir ihnen euch vielen vielmals herzlichen sehr gut gute arbeit gemacht toll prima ' +
    'klasse perfekt passt sieht aus das ist war schön wunderbar genau alles für die deine hilfe top ' +
    "merci beaucoup c'est très bien parfait génial bon beau travail pour ton votre aide " +
    'gracias muchas mil muy perfecto genial excelente buen trabajo por tu su ayuda está'
  ).split(' '),
);
const MAX_COURTESY_WORDS = 6;
const MIN_WORDS = 3;
/** Characters in which words are counted. */
const MAX_COUNTED = 200;

let words: Intl.Segmenter | undefined;

/** Returns true if a message asks for something and can be understood by itself. */
export function isRequest(message: string): boolean {
  const text = withoutCommand(message);
  if (isPraise(text)) return false;
  return wordsOf(text).length >= (COURTESY.test(text) ? MAX_COURTESY_WORDS + 1 : MIN_WORDS);
}

/** Returns what follows a command, as in `/review the parser`; `''` if it only sets up the app. */
export function withoutCommand(message: string): string {
  const [whole, name] = COMMAND.exec(message) ?? [];
  if (whole === undefined || name === undefined) return message;
  return SETTING.test(name) ? '' : message.slice(whole.length);
}

/** Returns true if a message says what to do, even in a word, so that it can serve as a request. */
export function namesTask(message: string): boolean {
  return message !== '' && !COMMAND.test(message) && !COURTESY.test(message) && !isPraise(message);
}

function isPraise(message: string): boolean {
  const said = wordsOf(message);
  const asks = message.includes('?') || message.length > MAX_COUNTED;
  return (
    said.length > 0 &&
    !asks &&
    said.every((word) => PRAISE.has(word.toLowerCase().replace('’', "'")))
  );
}

function wordsOf(message: string): string[] {
  words ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  const parts = [...words.segment(message.slice(0, MAX_COUNTED))];
  return parts.flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
}
