/**
 * Forms of credentials that show what they are.
 *
 * The prefixes and lengths are facts from the default rules of gitleaks (MIT licence, Copyright
 * 2019 Zachary Rice, https://github.com/gitleaks/gitleaks) and from the vendors' documentation.
 * Lengths are lower than documented, because a shortened credential is still one.
 */

import { matchesOf, type AddSpan } from './characters.js';

/** Prefixes whose rest is letters, digits, `_` and `-`, by the minimum length of the rest. */
const PREFIXES: Readonly<Record<number, string>> = {
  12: 'sk_test_ sk_live_ sk_prod_ rk_test_ rk_live_ rk_prod_ sm_aat_ sm_pat_ sm_sat_ FLWSECK_TEST-',
  16:
    'ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- gldt- glft- glrt- glimt- glptt- glcbt- glsoat- ' +
    'glffct- glagent- gloas- GR1348941 xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xapp- npm_ ' +
    'rubygems_ shpat_ shpca_ shppa_ shpss_ shippo_live_ shippo_test_ whsec_ sq0atp- sq0csp- ' +
    'lin_api_ lin_oauth_ ntn_ secret_ rdme_ pnu_ pul- ico- tfp_ dckr_pat_ dckr_oat_ ATATT3 ATCTT3 ' +
    'AIza LTAI GOCSPX- ya29. xkeysib- xsmtpsib- key- NRAK- NRII- NRJS- PMAK- HRKU-AA duffel_live_ ' +
    'duffel_test_ access-sandbox- access-development- access-production- sbp_ sb_secret_ ' +
    'phc_ phx_ fo1_ fio-u- EZAK EZTK CLOJARS_ dnkey- p8e- s-s4t2ud- s-s4t2af- AKCp tk-us- ' +
    'sgp_ sntryu_ sntrys_ glsa_ glc_ hf_ api_org_ pplx- gsk_ xai- r8_ nvapi- AQVN tvly- fc- ctx7sk- ' +
    'lsv2_pt_ lsv2_sk_ pcsk_ vercel_ figd_ pat- dapi doo_v1_ dop_v1_ dor_v1_ pscale_tkn_ ' +
    'pscale_oauth_ pscale_pw_ CFPAT- bkua_ cio_ sha256~ AGE-SECRET-KEY-1 wha_ edgedb_ nbp_ tskey-',
  40: 'cmVmd EAAA EAAC EAAM eyJrIjoi 4b1d',
};

/** Prefixes of common words too: the rest must not read like words. */
const PREFIXES_OF_WORDS: Readonly<Record<number, string>> = {
  16: 'sk- pk- rk- sk_ pk_ rk_ psk_ pat_ live_ test_ key_',
};

/** Prefixes with points, whose rest may have points too. */
const POINTED: Readonly<Record<number, string>> = {
  16: 'SG. hvs. hvb. hvr. dp.pt. dp.st. dp.ct. sl. ya29. dt0c01. pat. sat. ops_eyJ fm1r_ fm1a_ fm2_ pypi-',
};

interface Form {
  readonly prefix: string;
  readonly minimum: number;
  readonly isWord: boolean;
  readonly isPointed: boolean;
}

/** Forms by their first two characters, as `code << 7 | code`. */
const FORMS = new Map<number, Form[]>();
for (const [table, isWord, isPointed] of [
  [PREFIXES, false, false],
  [PREFIXES_OF_WORDS, true, false],
  [POINTED, false, true],
] as const)
  for (const [minimum, prefixes] of Object.entries(table))
    for (const prefix of prefixes.split(' ')) {
      const start = startCode(prefix, 0);
      const form = { prefix, minimum: Number(minimum), isWord, isPointed };
      FORMS.set(start, [...(FORMS.get(start) ?? []), form]);
    }

const REST = /[A-Za-z0-9_-]*/y;
const POINTED_REST = /[A-Za-z0-9_.+/=~-]*/y;

/** Adds credentials that begin with a known prefix. */
export function findPrefixed(text: string, add: AddSpan): void {
  let isInWord = false;
  for (let at = 0; at < text.length; at++) {
    const isStart = !isInWord;
    isInWord = isAlphanumeric(text.charCodeAt(at));
    if (!isStart || !isInWord) continue;
    const forms = FORMS.get(startCode(text, at));
    const end = forms && endOfForm(text, at, forms);
    if (end === undefined) continue;
    add(at, end);
    at = end - 1;
  }
}

function isAlphanumeric(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
}

function startCode(text: string, at: number): number {
  return (text.charCodeAt(at) << 7) | text.charCodeAt(at + 1);
}

function endOfForm(text: string, start: number, forms: readonly Form[]): number | undefined {
  for (const { prefix, minimum, isWord, isPointed } of forms) {
    if (!text.startsWith(prefix, start)) continue;
    const from = start + prefix.length;
    const rest = text.slice(from, from + minimum);
    // a short look first, so that failing costs little
    const pattern = isPointed ? POINTED_REST : REST;
    if (rest.length < minimum || endOf(pattern, rest, 0) !== minimum) continue;
    if (isWord ? !isUnlikeWords(rest) : !/[0-9A-Z]|^[a-z]{16}/.test(rest)) continue;
    if (/^(.)\1*$/.test(rest)) continue; // a stand-in
    return endOf(pattern, text, from);
  }
  return undefined;
}

function endOf(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function isUnlikeWords(rest: string): boolean {
  return /\d|[a-z][A-Z]|^[^-_]*$/.test(rest);
}

/** A run with points, which may be a JSON web token. */
const POINTED_RUN = /[A-Za-z0-9_=-]+(?:\.[A-Za-z0-9_=-]+)*/g;
const ENCODED_OBJECT = /(?:^|[^A-Za-z0-9])(?=eyJ[A-Za-z0-9_-]{8})/;

/** Adds JSON web tokens. */
export function findWebTokens(text: string, add: AddSpan): void {
  if (!text.includes('eyJ')) return;
  POINTED_RUN.lastIndex = 0;
  for (let match = POINTED_RUN.exec(text); match; match = POINTED_RUN.exec(text)) {
    const [run] = match;
    const head = run.indexOf('.');
    const found = head < 0 ? undefined : ENCODED_OBJECT.exec(run);
    if (!found) continue;
    const start = found.index + found[0].length;
    const point = run.indexOf('.', start);
    if (point < 0 || run.length - point < 9) continue;
    add(match.index + start, match.index + run.length);
  }
}

/** Addresses that are credentials themselves, and other forms without a prefix of their own. */
const ADDRESSES = [
  /(?:^|[^A-Za-z0-9])((?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16})(?![A-Za-z0-9])/g,
  /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9_/+-]{20,})/g,
  /discord(?:app)?\.com\/api\/webhooks\/([0-9]{5,25}\/[A-Za-z0-9_-]{20,})/g,
  /\.webhook\.office\.com\/webhookb2\/([A-Za-z0-9@/_-]{20,})/g,
  /chat\.googleapis\.com\/v1\/spaces\/[A-Za-z0-9_-]{1,40}\/messages\?([A-Za-z0-9_=&%-]{20,})/g,
  /(?:^|[^0-9])([0-9]{6,16}:AA[A-Za-z0-9_-]{30,})/g,
  /(?:^|[^A-Za-z0-9])([A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{20,})/g,
  /(?:^|[^A-Za-z0-9_~.])([A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{20,})/g,
  /(?:^|[^A-Za-z0-9])(pat[A-Za-z0-9]{14}\.[a-f0-9]{20,})/g,
  /(?:^|[^A-Za-z0-9])(AAAA[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{40,})/g,
  /(\$(?:2[abxy]|[156y]|apr1|argon2id?)\$[^\s"'`:<>\ue000]{20,})/g,
  /(?:^|[^A-Za-z0-9])AC[a-f0-9]{32}[\ue000"',:\s]{1,20}([a-f0-9]{32})(?![A-Za-z0-9])/g,
  /WIFI:[^\s]{0,100}?P:([^;\s]{4,63})/g,
  /(?:^|[^\w.-])([MNO](?=[A-Za-z_-]{1,19}\d)[\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40})(?![\w-])/g,
  /(?:^|[^\w/])(1\/\/0[A-Za-z0-9_-]{40,})/g,
  /(?:^|[^A-Za-z0-9])(A3-[A-Z0-9]{6}-[A-Z0-9-]{20,40})/g,
];

/** Adds addresses that are credentials. */
export function findAddresses(text: string, add: AddSpan): void {
  for (const pattern of ADDRESSES)
    for (const match of matchesOf(pattern, text)) {
      const end = match.index + match[0].length;
      add(end - (match[1]?.length ?? 0), end);
    }
}
