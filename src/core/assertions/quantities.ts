import { STOP_WORDS, stemOf } from '../../language/words';

/** What a number stands for; only `result` and `ratio` are findings. */
export type QuantityRole =
  | 'result'
  | 'ratio'
  | 'year'
  | 'dose'
  | 'duration'
  | 'age'
  | 'sample'
  | 'probability'
  | 'interval'
  | 'spread'
  | 'statistic'
  | 'reference';

export interface Quantity {
  value: number;
  /** Normalised: `%`, `mg`, `kg/m2`, a plain noun's stem, or empty. */
  unit: string;
  role: QuantityRole;
  start: number;
  end: number;
  /** "about 30 %", "nearly half": not to be taken to the last digit. */
  approximate: boolean;
}

const NUMBER =
  /(?<![\p{L}\d.,])[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\p{L}\d.])(?<![\p{L}]-)[-+]?\d+(?:\.\d+)?/gu;
const SPELLED: ReadonlyMap<string, number> = new Map(
  'one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, index) => [word, index + 1]),
);
const SPELLED_TIME =
  /\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)[ -](?:consecutive )?(days?|weeks?|months?|years?)\b/gi;

const UNIT =
  /^[\s-]?(%|per ?cent(?:age points?)?|(?:µg|mcg|ug|mg|ng|pg|kg|g|iu|ml|dl|l|mmol|µmol|umol|nmol|pmol|mol|kcal|kj|mj|cal|cm|mm ?hg|mm|km|m|ms|sec(?:onds?)?|s|min(?:utes?)?|h|hrs?|hours?|days?|d|weeks?|wks?|wk|months?|mo|years?|yrs?|points?|units?|bpm|w|n|hz|°c|fold|times|servings?|portions?|steps|dollars?|euros?|cfu)(?:\s?(?:\/|per |·|\*)\s?(?:\d+\s?)?(?:dl|ml|l|kg|g|day|d|week|wk|min|m2|m²|h|hour|month|year|person|serving|bw|mmol|mol))*)(?![\p{L}\d])/iu;

const TIME_UNIT = /^(?:h|day|week|month|year)$/;
const SHORT_TIME_UNIT = /^(?:s|ms|min)$/;
/** An amount in a volume (`ng/ml`) is what was measured, not what was given. */
const DOSE_UNIT = /^(?:mg|g|µg|iu|kcal|kj|ml|mmol|ng|cfu|serving|portion)(?:\/(?![md]?l\b)|$)/;
/** "5 days per week": how often is a part of the dose. */
const FREQUENCY_UNIT = /^(?:day|h|min|times?|session)\/(?:week|day|month)$/;
const RATE_UNIT = /^(?:mg|µg|g|iu|ml)\/(?:kg|day|week)/;
const MOVED = /\b(?:increas|decreas|reduc|chang|differ|lower|higher|gain|loss|lost|fell|rose|intake)\w*\b/i;
const GIVEN = /^\s?(?:for|orally|once|twice|during|over|daily|\))/i;
/** "at day 56": a point in time by its number. */
const NUMBERED_TIME = /\b(?:days?|weeks?|months?|years?|hours?|visits?)\s$/i;
const PEOPLE =
  /^[\s-]*(?:[\p{L}-]+ ){0,3}?(?:patients|participants|subjects|women|men|adults|children|individuals|volunteers|boys|girls|infants|students|athletes|respondents|trials|studies)\b/iu;

/** The numbers of a text with what they stand for. The text must be plain (`plainText`). */
export function quantitiesIn(text: string): Quantity[] {
  const quantities: Quantity[] = [];
  for (const match of text.matchAll(NUMBER)) {
    const raw = match[0];
    const start = match.index;
    const before = text.slice(Math.max(0, start - 48), start);
    const after = text.slice(start + raw.length, start + raw.length + 60);
    // "3-6" is a range: the dash is no sign.
    const signed = /[-+]/.test(raw.charAt(0)) && /[\d%]\s?$/.test(before) ? raw.slice(1) : raw;
    const unit = sharedUnit(after) ?? unitOf(after);
    const value = Number(signed.replace(/,/g, ''));
    quantities.push({
      value,
      unit: unit.name,
      role: roleOf(before, after.slice(unit.length), value, raw, unit.name, after),
      start,
      end: start + raw.length,
      approximate:
        /\b(?:about|approximately|approx\.?|around|nearly|almost|roughly|over|more than|less than|at least|up to|some|circa|~|≈)\s*$/i.test(
          before,
        ),
    });
  }
  for (const match of text.matchAll(SPELLED_TIME)) {
    const value = SPELLED.get((match[1] ?? '').toLowerCase());
    if (value === undefined) continue;
    const unit = unitOf(` ${match[2] ?? ''}`);
    quantities.push({
      value,
      unit: unit.name,
      role: 'duration',
      start: match.index,
      end: match.index + match[0].length,
      approximate: false,
    });
  }
  return quantities.sort((a, b) => a.start - b.start);
}

/** "3 and 6 months", "5.3 to 6.6 %": the first number has the second one's unit. */
const SHARED = /^\s?(?:and|or|to|vs\.?|versus|,|-|but not(?: at| after)?)\s?[-+]?\d+(?:\.\d+)?(?![\d.])/i;

function sharedUnit(after: string): { name: string; length: number } | null {
  const second = SHARED.exec(after);
  const match = second === null ? null : UNIT.exec(after.slice(second[0].length));
  return match === null ? null : { name: normalUnit(match[1] ?? ''), length: 0 };
}

function unitOf(after: string): { name: string; length: number } {
  const match = UNIT.exec(after);
  if (match) return { name: normalUnit(match[1] ?? ''), length: match[0].length };
  const noun = /^ (\p{L}{3,})/u.exec(after);
  const word = (noun?.[1] ?? '').toLowerCase();
  return { name: word === '' || STOP_WORDS.has(word) ? '' : stemOf(word), length: 0 };
}

function normalUnit(unit: string): string {
  const [head = '', ...rest] = unit.toLowerCase().split(/\s?(?:\/|per (?!cent)|·|\*)\s?/);
  return [plainUnit(head), ...rest.map(plainUnit)].join('/');
}

function plainUnit(unit: string): string {
  const single = unit.replace(/\s/g, '');
  if (/^(?:%|percent)/.test(single)) return '%';
  if (/^(?:mcg|ug|µg)$/.test(single)) return 'µg';
  if (/^(?:days?|d)$/.test(single)) return 'day';
  if (/^(?:weeks?|wks?)$/.test(single)) return 'week';
  if (/^(?:months?|mo)$/.test(single)) return 'month';
  if (/^(?:years?|yrs?)$/.test(single)) return 'year';
  if (/^(?:hours?|hrs?|h)$/.test(single)) return 'h';
  if (/^min/.test(single)) return 'min';
  if (/^s(?:ec.*)?$/.test(single)) return 's';
  return single.replace(/²/g, '2').replace(/(?<=[a-z]{4})s$/, '');
}

function roleOf(
  before: string,
  rest: string,
  value: number,
  raw: string,
  unit: string,
  after: string,
): QuantityRole {
  if (
    /\[[\d\s,;-]*$/.test(before) ||
    /\b(?:table|fig(?:ure)?s?\.?|section|appendix|equation|phase|grade|stage|type|version|question)\s?$/i.test(
      before,
    )
  )
    return 'reference';
  if (/\bp(?:[- ]?values?)?(?:[- ]for[- ][\w-]+)?\s?(?:=|<|>|≤|≥|:|of|were|was)\s?$/i.test(before))
    return 'probability';
  if (/(?:±|\bSDs?\b|\bSE[MD]?\b)\s?[=:]?\s?$/i.test(before)) return 'spread';
  if (unit === '%' && /^[\s-]*(?:\(?CI\b|confidence|credible)/i.test(rest)) return 'interval';
  if (
    /\b(?:CI|confidence intervals?|range|IQR)\b[^)\]]{0,8}(?:[-\d.%]+\s?(?:,|to|-|;|at|and)?\s?)?$/i.test(
      before,
    )
  )
    return 'interval';
  if (/\b(?:n|N)\s?=\s?$/.test(before)) return 'sample';
  if (unit === '' && NUMBERED_TIME.test(before)) return 'duration';
  if (/(?:\b[FtrdχzZUQ]\s?2?\s?(?:[(=]|\([\d., ]+\)\s?=)[\s\d,.-]*|η2?p?\s?=\s?|χ2?\s?=\s?)$/u.test(before))
    return 'statistic';
  if (
    /\b(?:OR|RR|HR|IRR|aOR|odds ratio|risk ratio|relative risk|hazard ratio|rate ratio)\b[^.;]{0,14}$/.test(
      before,
    )
  )
    return 'ratio';
  if (
    (unit !== '%' && /\b(?:aged?|ages|mean age|average age)\b[^.;]{0,16}$/i.test(before)) ||
    /^\s?(?:-|to\s)?\s?(?:years?|yrs?)?[- ](?:old|of age)\b/i.test(rest)
  )
    return 'age';
  if (unit !== '%' && PEOPLE.test(after) && /^\d+(?:,\d{3})*$/.test(raw)) return 'sample';
  const isEffect =
    /\b(?:by|from|was|were|is|are|averaged|difference|increase|decrease|reduction|change|gain|loss|improvement)(?: (?:of|was|were|by|an average of|to|only|about|nearly|approximately|a mean of))*\s?[-+]?$/i.test(
      before,
    );
  if (TIME_UNIT.test(unit) || SHORT_TIME_UNIT.test(unit)) {
    if (isEffect && !/\bfrom\s?$/.test(before)) return 'result';
    const states =
      /\b(?:after|for|at|over|during|within|following|every|through|until|up to|the first|last|next|of|to|and)(?: (?:the|a|an|only|about|at least))?\s?$/i.test(
        before,
      );
    if (TIME_UNIT.test(unit))
      return states ||
        after.startsWith('-') ||
        !/^\s?(?:more|less|longer|shorter|fewer|earlier|later)/.test(rest)
        ? 'duration'
        : 'result';
    return (states && !/\b(?:of|to|and)\s?$/.test(before)) || after.startsWith('-') ? 'duration' : 'result';
  }
  if (DOSE_UNIT.test(unit) && !isEffect && /^\s?of (?!the (?:predicted|baseline))(?:\d+-)?\p{L}/u.test(rest))
    return 'dose';
  if (FREQUENCY_UNIT.test(unit) && !isEffect) return 'dose';
  // "zinc (30 mg/day for 9 days)", but not "intake fell (2 g/day)".
  if (RATE_UNIT.test(unit) && /\(\s?$/.test(before) && !MOVED.test(before) && GIVEN.test(rest)) return 'dose';
  if (DOSE_UNIT.test(unit) && !isEffect && !/[(±,;=]\s?$|\b(?:to|versus|vs\.?|and|than)\s?$/i.test(before)) {
    if (
      /\/(?:day|d|week|wk|kg|bw|serving)/.test(unit) ||
      /^\s?(?:of|daily|per|twice|once|a day|each|[\p{L}-]+ (?:daily|per day|supplement))/iu.test(rest)
    )
      return 'dose';
    if (
      /\b(?:dose|doses|dosage|received|receiving|consumed|consuming|ingested|ingesting|with|of|given|taking)\s?(?:of |a |an |either )*$/i.test(
        before,
      ) ||
      /^ \p{L}{4,}/u.test(rest)
    )
      return 'dose';
  }
  // "1700 mmol" is no year; a plain noun after it ("2012 survey") makes no difference.
  const measured = unit !== '' && rest !== after;
  if (!measured && /^\d{4}$/.test(raw) && value >= 1500 && value <= 2099) return 'year';
  return 'result';
}
