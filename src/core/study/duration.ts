import { COUNT } from './number-words';

const UNIT = '(day|week|month|year)';
/** `12-week intervention`, `a six month exercise programme`. */
const ATTRIBUTE = new RegExp(
  `\\b(${COUNT})[- ]${UNIT}s?[- ,](?:[\\p{L}-]+[ ,-]+){0,5}?(?:interventions?|program(?:me)?s?|training|trial|supplementation|treatment|diets?|exercise|period|regimen|course|rct|study)\\b`,
  'giu',
);
/** `for 12 weeks`, `over a period of six months`, `during eight consecutive weeks`. */
const ADVERBIAL = new RegExp(
  `\\b(?:for|over|during|lasted|lasting|throughout)(?: a| the| a total of| a period of| up to)*(?: period of)? (${COUNT})(?: consecutive)?[- ]${UNIT}s?\\b(?! (?:follow|before|prior|ago|after|or more|of age|old|preceding|previous|prior))`,
  'giu',
);
const NOT_THE_INTERVENTION =
  /\b(?:follow(?:ed)?[- ]?up|wash-?out|run-?in|recall|baseline|before|prior|previous|past|after|post|at least|past|recruit\w*|enrol\w*|history|diagnos\w*|stored|interval|between (?:the )?(?:trials?|treatments?|visits?)|record|diary|followed (?:up )?for|from \d{4})\b/i;

/** How long the intervention lasted, as `12 weeks`, or undefined where the texts name several lengths or none. */
export function durationOf(title: string, sentences: readonly string[]): string | undefined {
  const inTitle = durations(title, true);
  if (inTitle.size === 1) return [...inTitle][0];
  const named = new Map<string, number>();
  for (const sentence of sentences)
    for (const duration of durations(sentence, false)) named.set(duration, (named.get(duration) ?? 0) + 1);
  return named.size === 1 ? [...named.keys()][0] : undefined;
}

function durations(text: string, isTitle: boolean): Set<string> {
  const found = new Set<string>();
  for (const pattern of isTitle ? [ATTRIBUTE] : [ATTRIBUTE, ADVERBIAL]) {
    for (const match of text.matchAll(pattern)) {
      const around = text.slice(Math.max(0, match.index - 30), match.index + match[0].length + 20);
      if (NOT_THE_INTERVENTION.test(around)) continue;
      const count = (match[1] ?? '').toLowerCase();
      const unit = (match[2] ?? '').toLowerCase();
      if (
        unit === 'day' &&
        /^(?:[1-9]|one|two|three|four|five|six|seven)$/.test(count) &&
        pattern === ADVERBIAL
      )
        continue;
      found.add(`${count} ${unit}${count === '1' || count === 'one' ? '' : 's'}`);
    }
  }
  return found;
}
