/**
 * Forms of credentials that show what they are.
 *
 * The prefixes and lengths are facts from the default rules of gitleaks (MIT licence, Copyright
 * 2019 Zachary Rice, https://github.com/gitleaks/gitleaks) and from the vendors' documentation.
 * Lengths are lower than documented, because a shortened credential is still one.
 */

import { eachGroup, type AddSpan, type PlainText } from './plain-text.js';

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
    'sgp_ sntryu_ glsa_ glc_ hf_ api_org_ pplx- gsk_ xai- r8_ nvapi- AQVN tvly- fc- ctx7sk- ' +
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
  16: 'SG. hvs. hvb. hvr. dp.pt. dp.st. dp.ct. sl. ya29. dt0c01. pat. sat. ops_eyJ fm1r_ fm1a_ fm2_ pypi- sntrys_',
};

/** Patterns for a prefix and its rest, and what the rest must have. */
const FORMS = [
  ...formsOf(PREFIXES, '[\\w-]', /[0-9A-Z]|^[a-z]{16}/),
  ...formsOf(PREFIXES_OF_WORDS, '[\\w-]', /\d|[a-z][A-Z]|^[^-_]*$/),
  ...formsOf(POINTED, '[\\w.+/=~-]', /[0-9A-Z]|^[a-z]{16}/),
];

function formsOf(table: Readonly<Record<number, string>>, rest: string, needs: RegExp) {
  return Object.entries(table).map(([minimum, prefixes]) => {
    const names = `(?:${prefixes.replace(/\./g, '\\.').replace(/ /g, '|')})`;
    const form = new RegExp(`(?:^|[^A-Za-z0-9])(${names}${rest}{${minimum},})`, 'g');
    return { form, prefix: new RegExp(`^${names}`), needs, minimum: Number(minimum) };
  });
}

/** Other forms: their first groups are the credentials, at the end of a match. */
const PATTERNS = [
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
  /(\$(?:2[abxy]|[156y]|apr1|argon2id?)\$[^\s"'`:<>]{20,})/g,
  /(?:^|[^A-Za-z0-9])AC[a-f0-9]{32}["',:\s]{1,20}([a-f0-9]{32})(?![A-Za-z0-9])/g,
  /WIFI:[^\n]{0,100}?P:([^;\s]{4,63})/g,
  /(?:^|[^\w.-])([MNO](?=[A-Za-z_-]{1,19}\d)[\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40})(?![\w-])/g,
  /(?:^|[^\w/])(1\/\/0[A-Za-z0-9_-]{40,})/g,
  /(?:^|[^A-Za-z0-9])(A3-[A-Z0-9]{6}-[A-Z0-9-]{20,40})/g,
  // a JSON web token
  /(?:^|[^\w-])(eyJ[A-Za-z0-9_-]{8,5000}\.[A-Za-z0-9_=-]{8,5000}(?:\.[A-Za-z0-9_=-]{1,5000}){0,3})/g,
];

/** Adds credentials that show what they are. */
export function findKnownForms({ text }: PlainText, add: AddSpan): void {
  for (const { form, prefix, needs, minimum } of FORMS)
    eachGroup(form, text, (value, start, end) => {
      const first = value.replace(prefix, '').slice(0, minimum);
      // the same character over and over is a stand-in
      if (needs.test(first) && !/^(.)\1*$/.test(first)) add(start, end);
    });
  for (const pattern of PATTERNS) eachGroup(pattern, text, (_, start, end) => add(start, end));
}
