import { stemEnglish } from '../../../search/text/english.js';

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** Verbs and other words that many decisions share whatever they are about. They count half. */
export const COMMON_WORDS =
  wordSet(`add allow ask build call change check choose create deliver do drop get give go have keep last leave let limit
  load make move need open pay pick plan play print provide put read record require return run save see send serve set show start stay
  stop store support switch take tell test try turn update use wait want work write user people team thing way part case day week month
  year hour minute second time euro dollar percent mb gb kb new old main good better best big small full own same
  just first second default project code page file data app version number one two three four five six seven eight nine ten`);

/** Words that say nothing about the subject. They do not count. */
export const EMPTY_WORDS =
  wordSet(`use using used every each all both only always just now instead rather longer anymore again still also really new switch move
  replace keep let go will would decide decided decision never no not none without dont
  nutzen verwenden nehmen werden wird wurde bleibt bleiben immer nur nie kein keine keinen nicht ohne`);

/** Words that take back what follows directly. */
export const NEGATIONS = wordSet(
  'no not never without dont don cannot neither nor avoid kein keine keinen keiner nicht nie niemals ohne',
);

/** Words that take back everything that follows. */
export const REMOVALS = wordSet(
  'drop remove stop abandon ban forbid disable skip quit deprecate retire cancel eliminate discontinue abbestellen kündigen abschaffen streichen verzichten',
);

/** Verbs of a decision that changes what follows. */
export const CHANGES =
  wordSet(`switch replace migrate rewrite revert raise lower increase reduce extend shorten postpone bring change
  rename turn convert adopt split`);

/** Words of a decision that takes the place of an earlier one. */
export const REPLACEMENTS = wordSet(
  'instead longer anymore rather raised lowered increased reduced',
);

/** Words for a time or an amount without an end. */
export const ENDLESS = wordSet('forever unlimited indefinitely permanently always');

/** Prepositions whose object is often the choice that was made. */
export const CHOICE_PREPOSITIONS = wordSet(
  'with in as under on at by to from via through into over mit auf bei als',
);

/** Prepositions whose object is what the choice is for. */
export const PURPOSE_PREPOSITIONS = wordSet('for between für');

/**
 * Prepositions that say how something is made. Each excludes another, as in "by hand" and "from a
 * template".
 */
export const MANNER_PREPOSITIONS = wordSet('by from with via through using per mit aus');

/** Prepositions and conjunctions that end the phrase which a verb of removal takes back. */
export const PHRASE_ENDS = wordSet(
  'before after until when while if unless because once vor nach bis wenn während',
);

/** Prepositions whose object is a moment, not the subject of a decision. */
export const TIME_PREPOSITIONS = wordSet('after before until since nach vor bis seit');

/**
 * Words that make a negation in front of them deny the whole subject, as in "insurance: not
 * needed".
 */
export const NEEDS = wordSet('needed necessary required nötig notwendig erforderlich gebraucht');

/** Words by which a choice holds for everything. */
export const UNIVERSAL = wordSet('everything everywhere whole entire all alles überall ganze');

/** Alternatives of which a decision usually takes one. */
const ALTERNATIVES = [
  'monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays weekends',
  'january february march april may june july august september october november december',
  'spring summer autumn fall winter',
  'morning mornings afternoon afternoons evening evenings night noon midnight',
  'hourly daily weekly biweekly monthly quarterly yearly annually nightly',
  'first third second',
  'english german french spanish italian dutch portuguese russian polish swedish japanese chinese korean latin',
  'british american canadian australian',
  'mit gpl agpl lgpl apache bsd mpl isc proprietary unlicense cc0',
  'postgres postgresql mysql mariadb sqlite mongodb mongo dynamodb redis couchdb duckdb cassandra oracle supabase firebase files markdown',
  'npm pnpm yarn bun deno',
  'jest vitest mocha jasmine ava pytest unittest playwright cypress selenium puppeteer',
  'react svelte vue angular preact solid lit jquery htmx qwik',
  'rest grpc graphql soap websocket websockets trpc',
  'json xml yaml toml csv protobuf ini',
  'api key keys basic ldap jwt cookie cookies session sessions password passwords passkey passkeys oauth saml sso token tokens magic otp',
  'bcrypt argon2 argon2id scrypt pbkdf2 md5 sha1 sha256 sha512',
  'apa chicago mla harvard vancouver ieee',
  'footnotes endnotes',
  'tab tabs space spaces',
  'single double backtick',
  'aws azure gcp vercel netlify heroku hetzner cloudflare digitalocean',
  'docker podman kubernetes nomad vm bare',
  'typescript javascript python rust go golang java kotlin swift ruby php elixir scala c haskell zig',
  'github gitlab bitbucket gitea jenkins circleci codeberg',
  'video audio text transcript',
  'paper online digital print email sms phone letter',
  'germany france spain italy austria switzerland us usa uk canada japan',
  'white green blue red yellow black grey gray brown beige orange purple pink',
  'north south east west northern southern eastern western',
  'left right top bottom center centre middle',
  'light dark',
  'oak pine beech steel concrete brick wood tile carpet laminate parquet',
  'tailwind bootstrap sass css scss',
  'webpack vite rollup esbuild parcel turbopack',
  'eslint biome prettier tslint standard',
  'kafka rabbitmq sqs redis nats postgres postgresql',
  'iso yyyy dd mm rfc unix',
  'utc local',
  'train car bus plane bike ferry boat flight',
  'past present future',
  'latex word markdown docs typst asciidoc scrivener pages',
  'slack discord teams zoom email matrix mattermost signal whatsapp telegram',
  'rebase squash merge',
  'uuid ulid autoincrement integer serial',
  'monolith microservices serverless monorepo polyrepo',
  'stdout stderr file files syslog',
  'cash card invoice paypal stripe transfer',
  'vegan vegetarian meat fish buffet',
  'indoors outdoors inside outside online remote onsite office',
  'disk s3 r2 gcs bucket cloud nas dropbox drive icloud',
  'exceptions values results panics',
  'grams kilograms ounces pounds cups teaspoons tablespoons litres millilitres',
  'metres meters feet inches kilometres kilometers miles centimetres',
  'celsius fahrenheit kelvin',
  'euros dollars pounds francs yen',
  'dawn dusk noon midnight morning evening night',
  'own third-party external inhouse',
  'sentence title uppercase lowercase camelcase snakecase kebab snake camel pascal',
  'warnings errors hints',
  'garden barn church hall house beach office restaurant',
  'forever unlimited indefinitely temporary temporarily',
  'montag dienstag mittwoch donnerstag freitag samstag sonntag montags dienstags mittwochs donnerstags freitags samstags sonntags',
  'januar februar märz april mai juni juli august september oktober november dezember',
  'täglich wöchentlich monatlich jährlich',
  'deutsch englisch französisch spanisch italienisch',
  'weiß schwarz rot blau gelb grün grau braun',
  'gas öl strom wärmepumpe pellets fernwärme',
  'zug auto bus flugzeug fahrrad fähre',
  'duzen siezen',
].map((line) => new Set(line.split(' ').map(stemEnglish)));

/** Words that exclude each other, as far as they are about the same thing. */
const OPPOSITES =
  `before/after include/exclude allow/forbid allow/block enable/disable open/closed open/close opened/closed lazy/eager lazily/eagerly
  lazily/eager lazy/eagerly rent/buy renting/buy sync/async synchronous/asynchronous public/private public/internal local/remote manual/automatic
  manually/automatically ask/every asks/every demand/every manual/every on/off dies/survive dies/survives die/survive die/live dies/lives
  killed/survives add/remove keep/delete keep/remove keep/drop keep/cut start/stop start/end begin/end short/long minimum/maximum required/optional
  mandatory/optional free/paid free/charge soft/hard immutable/mutable static/dynamic visible/hidden show/hide ascending/descending
  newest/oldest first/last up/down increase/decrease more/less more/fewer single/multiple one/several client/server anonymous/signed strict/loose
  weekly/daily inline/separate tabs/windows all/none both/neither in/out indoor/outdoor hot/cold sweet/dry formal/informal early/late
  everyone/nobody everyone/invite openly/private open/private openly/secret publish/private monorepo/separate together/separate öffentlich/intern
  öffentlich/privat offen/geschlossen erlaubt/verboten manuell/automatisch vor/nach mit/ohne behalten/abbestellen behalten/verkaufen opt-in/opt-out accept/reject approve/reject accept/decline together/separately together/apart`
    .split(/\s+/)
    .map((pair) => pair.split('/').map(stemEnglish) as [string, string]);

/** Verbs that leave something as it is, and those that change it. */
const KEEPING = wordSet('keep stay remain leave retain');
const CHANGING = wordSet(
  'move split switch rewrite replace migrate merge drop delete cut rename remove abandon sell close',
);

/** Returns true if two stems are different choices among the same alternatives. */
export function areAlternatives(a: string, b: string): boolean {
  return a !== b && ALTERNATIVES.some((group) => group.has(a) && group.has(b));
}

/** Returns true if a stem belongs to a list of alternatives. */
export function isChoice(stem: string): boolean {
  return ALTERNATIVES.some((group) => group.has(stem));
}

/** Returns true if two stems exclude each other. */
export function areOpposites(a: string, b: string): boolean {
  return (
    OPPOSITES.some(([one, other]) => (a === one && b === other) || (a === other && b === one)) ||
    (KEEPING.has(a) && CHANGING.has(b)) ||
    (CHANGING.has(a) && KEEPING.has(b))
  );
}
