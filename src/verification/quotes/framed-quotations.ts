import type { Evidence } from '../../contracts/report/finding';
import { isReporting } from '../../language/word-weight';
import { keyOf } from '../closeness';
import { statementTokens } from '../statement-tokens';
import { type ComparableText, comparableText, withoutEndMarks } from './comparable-text';
import { findQuotation, isTelling } from './find-quotation';
import { quotationsIn } from './quotations';

/** A source that may be quoted and named. */
export interface QuotableSource {
  id: string;
  content: string;
  /** What it says of itself, which a claim may name: author, date, title, site. */
  attribution: readonly string[];
  comparable: ComparableText;
}

/** Where the quotations of a claim stand; null where it has none, says more than they do, or one of them stands nowhere. */
export function framedQuotations(claim: string, sources: readonly QuotableSource[]): Evidence[] | null {
  const attribution = sources.flatMap((source) => source.attribution);
  const names = attribution.map((text) => comparableText(text).text);
  const telling = quotationsIn(claim).filter(({ text }) => isTelling(text));
  // The title of what is cited is no quotation from it.
  const quotations = telling.filter(({ text }) => !names.some((name) => name.includes(titleKey(text))));
  if (quotations.length === 0 || !onlyFrames(without(claim, telling), attribution)) return null;
  const places = quotations.map(({ text }) => {
    for (const source of sources) {
      const place = findQuotation(text, source);
      if (place !== null) return place;
    }
    return null;
  });
  const found = places.filter((place) => place !== null);
  return found.length === places.length ? found : null;
}

function titleKey(quoted: string): string {
  return withoutEndMarks(comparableText(quoted).text);
}

/** Whether a text says no more than who says something, and when and where. */
function onlyFrames(text: string, attribution: readonly string[]): boolean {
  const known = new Set(attribution.flatMap((told) => statementTokens(told).map(keyOf)));
  return statementTokens(text).every(
    (token) => token.kind !== 'negator' && (known.has(keyOf(token)) || isReporting(token.stem)),
  );
}

function without(text: string, stretches: readonly { start: number; end: number }[]): string {
  return stretches.reduceRight((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, text);
}
