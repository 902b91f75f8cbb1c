import { matchesOf, type AddSpan } from './characters.js';

/** Names of codes that are given out once, for when a second factor is lost. */
const CODES =
  /(?:recovery|backup|scratch|emergency|reserve|one-time|rescue) (?:access )?codes?|(?:wiederherstellungs|backup|notfall|ersatz|reserve|einmal)[- ]?(?:codes?|schlüssel)|codes? (?:de secours|de récupération|de secours|de sauvegarde)|códigos? (?:de recuperación|de respaldo|de emergencia|de un solo uso)|(?:резервн|одноразов|аварийн)[а-я]* (?:[а-я]+ )?код[а-я]*|код[а-я]* (?:восстановления|доступа)|(?:恢复|备用|应急|一次性)(?:代码|码|验证码)/giu;
const CODE =
  /(?:^|[\s"'`:,;>(+])([A-Za-z0-9]{3,10}(?:[- ][A-Za-z0-9]{3,10}){1,7}|[0-9]{6,10}|[a-z0-9]{8,12})(?=$|[\s"'`,;.)<\ue000])/g;
const SEEDS =
  /(?:seed|recovery|secret|backup|mnemonic|wallet) ?(?:phrase|words)|mnemonic|seed(?:-?phrase|(?=:))|(?:wiederherstellungs|sicherungs|merk)(?:phrase|wörter|satz)|phrase (?:de récupération|secrète|mnémonique|de passe)|frase (?:semilla|de recuperación|secreta|mnemotécnica)|(?:сид|seed|секретн|мнемоническ)[а-я]*[- ]фраз[а-я]*|助记词|恢复短语/giu;
/** Twelve or more short words, perhaps numbered. */
const WORDS = /(?:[a-z]{3,8}[\s,\ue000-]{1,4}(?:\d{1,2}[.):]? ?)?){11,24}[a-z]{3,8}/;
const PASSWORDS = /passw(?:or[dt]|ört)|passe|contraseña|парол|密码|kennwort|app[- ]code/giu;
/** Four groups of four letters, as Google and Apple write passwords of apps. */
const GROUPS = /(?:^|[^a-z])([a-z]{4}([ -])[a-z]{4}\2[a-z]{4}\2[a-z]{4})(?![a-z])/;
/** Names of the seed of a second factor, and groups of four of base32, in which it is shown. */
const FACTORS =
  /\b(?:[th]?otp|2fa|mfa|authenticator|setup)\b|two-factor|seed|secret|geheim|второ/gi;
const BASE32 = /(?:^|[^\w-])((?=[A-Z ]{0,60}[2-7])(?:[A-Z2-7]{4} ){3,15}[A-Z2-7]{4})(?![\w-])/i;
const CONSONANTS = /[bcdfghjklmnpqrstvwxz]{3}/;
/** Characters after a name in which its codes are looked for. */
const MAX_DISTANCE = 600;

/** Adds codes for when a second factor is lost, seed phrases, and passwords in groups. */
export function findCodes(text: string, add: AddSpan): void {
  eachAfter(CODES, text, (part, at) => {
    for (const match of part.matchAll(CODE)) {
      const code = match[1] ?? '';
      const end = at + match.index + match[0].length;
      if (/\d/.test(code) && !/^\d{4}-\d\d-\d\d/.test(code) && !isOfWords(code))
        add(end - code.length, end);
    }
  });
  eachAfter(SEEDS, text, (part, at) => {
    const match = WORDS.exec(part);
    if (match) add(at + match.index, at + match.index + phraseLength(match[0]));
  });
  eachAfter(PASSWORDS, text, (part, at) => {
    const match = GROUPS.exec(part.slice(0, 100));
    const groups = match?.[1] ?? '';
    if (!match || !CONSONANTS.test(groups)) return;
    const end = at + match.index + match[0].length;
    add(end - groups.length, end);
  });
  eachAfter(FACTORS, text, (part, at) => {
    const match = BASE32.exec(part.slice(0, 160));
    const groups = match?.[1] ?? '';
    // groups of words have no digit within
    if (!match || !/[A-Z][2-7]|[2-7][A-Z]/i.test(groups)) return;
    const end = at + match.index + match[0].length;
    add(end - groups.length, end);
  });
}

/** True if spaces join parts of several lengths, as they join words. */
function isOfWords(code: string): boolean {
  return new Set(code.split(' ').map((part) => part.length)).size > 1;
}

/** Returns the length of a phrase's words, which may be followed by a line of other words. */
function phraseLength(words: string): number {
  const ends = [...words.matchAll(/[a-z]+/g)].map(({ index, 0: word }) => index + word.length);
  const size = [ends.length, 24, 21, 18, 15, 12].find(
    (count) =>
      count <= ends.length &&
      count % 3 === 0 &&
      /^\s*\n|^$|^\ue000/.test(words.slice(ends[count - 1])),
  );
  return ends[(size ?? ends.length) - 1] ?? words.length;
}

/** Calls back with what follows each name, up to the next one. */
function eachAfter(names: RegExp, text: string, use: (part: string, at: number) => void): void {
  let from: number | undefined;
  for (const match of matchesOf(names, text)) {
    if (from !== undefined) use(text.slice(from, Math.min(match.index, from + MAX_DISTANCE)), from);
    from = match.index + match[0].length;
  }
  if (from !== undefined) use(text.slice(from, from + MAX_DISTANCE), from);
}
