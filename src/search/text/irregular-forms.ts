/** Each base word with its forms, except forms that are as often another word (rose, saw, left). */
const FORMS = `arise arose arisen, awake awoke awoken, bear borne, beat beaten, become became, begin began begun, bend bent, bite bitten,
  bleed bled, blow blew blown, break broke broken, breed bred, bring brought, build built, burn burnt, buy bought, catch caught,
  choose chose chosen, cling clung, come came, creep crept, deal dealt, dig dug, draw drew drawn, dream dreamt, drink drank drunk,
  drive drove driven, eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought, find found, flee fled, fly flew flown,
  forbid forbade forbidden, forget forgot forgotten, forgive forgave forgiven, freeze froze frozen, get got gotten, give gave given,
  go went gone, grow grew grown, hang hung, hear heard, hide hid hidden, hold held, keep kept, know knew known, learn learnt, lend lent,
  lose lost, make made, mean meant, meet met, mistake mistook mistaken, overcome overcame, overwrite overwrote overwritten, pay paid,
  prove proven, rewrite rewrote rewritten, ride rode ridden, ring rang rung, rise risen, run ran, say said, see seen, seek sought,
  sell sold, send sent, shake shook shaken, shine shone, show shown, shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat,
  sleep slept, slide slid, speak spoke spoken, spend spent, stand stood, steal stolen, strike struck, strive strove striven,
  swear swore sworn, sweep swept, swim swam swum, swing swung, take took taken, teach taught, tear torn, tell told, think thought,
  throw threw thrown, undergo underwent undergone, understand understood, undertake undertook undertaken, undo undid undone,
  wake woke woken, wear wore worn, weave woven, weep wept, withdraw withdrew withdrawn, write wrote written,
  child children, foot feet, goose geese, half halves, knife knives, loaf loaves, man men, mouse mice, ox oxen, shelf shelves,
  thief thieves, tooth teeth, wife wives, wolf wolves, woman women`;

/** Base word of each irregular form. */
export const IRREGULAR: ReadonlyMap<string, string> = new Map(
  FORMS.split(/,\s+/).flatMap((line) => {
    const [base = '', ...forms] = line.split(' ');
    return forms.map((form) => [form, base] as const);
  }),
);
