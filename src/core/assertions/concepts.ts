import { STOP_WORDS, stemOf, words } from '../../language/words';
import type { Concept } from './assertion';

export const NO_CONCEPT: Concept = { text: '', terms: [] };

const stems = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).map(stemOf));

/** Words that say that something was measured, not what. */
const MEASURE_WORDS = stems(
  `level concentration value score scores measure measurement mean median average outcome parameter variable marker markers
  significant statistically significantly respective respectively participant participants subject subjects patient patients group
  groups baseline end study primary secondary main overall result results change changes response serum plasma blood circulating
  amount number index status rate rates absolute relative observed following post pre intervention treatment trial condition arm
  women men children adults seniors senior females males boys girls people individuals elderly volunteers measured assessed reported self-reported various different several any certain two three four both all week month year day total-score
  domain scale questionnaire subscale test effect effects clinical overall body time point points terms respect percentage percent proportion`,
);

/** Words that say that something was done, not what: an arm named by these alone is the one that the title names. */
const TREATMENT_WORDS = stems(
  `intervention treatment therapy program programme supplementation supplement supplemented supplements group groups arm arms
  condition conditions trial study experimental experiment active treated intake consumption ingestion administration use daily
  dose doses dietary training trained session sessions week weeks month months day days regimen protocol participant participants
  subject subjects patient patients individual individuals people women men children adult adults person receiving received given
  assigned randomised randomized allocated completing effect effects result results finding findings new oral short long term
  acute chronic regular additional approach strategy method system test both two three all main baseline compared period phase
  usual standard care control placebo comparison significant data analysis author we our model time point change changes level capsule
  capsules tablet product addition combined combination based alone plus added respectively only versus after before end visit follow-up
  case cases help helps helped include includes included including excluding according follow followed following sixteen one three four five six seven eight nine ten twelve semi intensive extract extracts powder juice root oil ester esters
  enriched fortified containing delivered mode form formula
  assess assessment improve improved improves improving score scale scales lead leads regular individual specific standard adding effectively beneficial study-group effective efficacy effectiveness evidence present current high low higher lower different`,
);

export function outcomeConcept(text: string): Concept {
  return conceptOf(text, MEASURE_WORDS);
}

export function treatmentConcept(text: string): Concept {
  return conceptOf(text, TREATMENT_WORDS);
}

const CONTROL =
  /\b(?:controls?|placebo|usual care|standard care|untreated|non-?supplemented|non-?exercis\w+|no[- ](?:treatment|intervention|exercise|supplement\w*)|sham|wait(?:ing)?[- ]?list(?:ed)?|comparison group|inactive|sedentary group|dummy)\b/i;

/** Whether the words name the arm that others are held against. */
export function namesControl(text: string): boolean {
  return CONTROL.test(text);
}

/** `vitamin D`, `type 2`, `coenzyme Q10` are one term each: the letter or number tells them apart. */
const QUALIFIED =
  /\b(vitamin|type|omega|coenzyme|factor|group|grade|class|stage|phase|hepatitis|version|level|model)s? ([A-Z]?-?\d{0,2}|[A-Z])(?:\d?)\b(?![\w%])/gi;

/** A low-fat diet is not a high-fat diet: the amount is part of the name. */
const AMOUNT = /\b(low|high|reduced)[- ](?!dose|level|risk|quality|or\b|and\b|in\b|density)(\p{L}{3,})/giu;

function conceptOf(text: string, dropped: ReadonlySet<string>): Concept {
  const joined = text
    .replace(/\bself-(?:reported|rated|assessed)\b/gi, '')
    .replace(AMOUNT, '$1$2')
    .replace(QUALIFIED, (whole, head: string, mark: string) =>
      mark.trim() === '' || !/^[A-Z0-9-]+$/.test(mark) ? whole : `${head}-${mark.replace(/-/g, '')}`,
    );
  const found = new Set<string>();
  for (const word of words(joined).flatMap(splitHyphens)) {
    if (STOP_WORDS.has(word) || /^[\d.,]+$/.test(word)) continue;
    if (/.{3}ly$/.test(word) && !/^(?:family|early|elderly|anomaly|assembly|supply)$/.test(word)) continue;
    if (word.length === 1 && !/\p{L}/u.test(word)) continue;
    const stem = stemOf(word);
    if (stem.length > 1 && !dropped.has(stem)) found.add(stem);
  }
  return { text: text.trim(), terms: [...found].sort() };
}

/** `health-related` is two words, `omega-3` and `25-oh-d` are one. */
function splitHyphens(word: string): string[] {
  const parts = word.split('-');
  return parts.length > 1 && parts.every((part) => /^\p{L}{3,}$/u.test(part)) ? parts : [word];
}

/** Words that may stand before a thing without making it another thing. */
const LIGHT_TERMS = stems(
  'general overall physical clinical muscle muscular human healthy daily health related body mass habitual total-body perceived',
);

/**
 * Whether two concepts are the same thing. Equal terms are; one that says more is, where the two share at least two
 * terms and the rest is one term (`hip bone mineral density`), or where the rest are words like `overall`.
 */
export function sameConcept(a: Concept, b: Concept): boolean {
  const [small, large] = a.terms.length <= b.terms.length ? [a.terms, b.terms] : [b.terms, a.terms];
  if (small.length === 0) return false;
  const extra = large.filter((term) => !small.some((other) => sameTerm(term, other)));
  if (small.some((term) => !large.some((other) => sameTerm(term, other)))) return false;
  if (extra.length === 0) return true;
  return extra.every((term) => LIGHT_TERMS.has(term)) || (extra.length === 1 && small.length >= 3);
}

/**
 * Whether two treatments are the same kind: the same concept, or two thirds of the shorter name and at least two terms
 * shared (`plant sterol capsules`, `a soy drink enriched with plant sterols`), but no combination with something else.
 */
export function sameTreatment(a: Concept, b: Concept): boolean {
  if (sameConcept(a, b)) return true;
  if (COMBINED.test(a.text) !== COMBINED.test(b.text)) return false;
  const shared = a.terms.filter((term) => b.terms.some((other) => sameTerm(term, other))).length;
  return shared >= 2 && shared * 3 >= Math.min(a.terms.length, b.terms.length) * 2;
}

const COMBINED = /\b(?:and|plus|combined|combination|without|or|versus)\b|\+/i;

/** `vitamin-d` covers `vitamin-d3`, but `vitamin-d2` is not `vitamin-d3`. */
function sameTerm(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return /-[a-z]$/.test(short) && long.startsWith(short) && /^\d$/.test(long.slice(short.length));
}
