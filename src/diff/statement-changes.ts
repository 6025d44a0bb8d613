import type { FindingChange } from '../contracts/report/report-diff';
import { distinctBy } from '../core/values/distinct-by';
import { groupedBy } from '../core/values/grouped-by';
import { sentenceKey } from '../core/duplicates/near-duplicate-sentences';
import { areOnOneMatter } from './compare-quotes';
import type { ComparedClaim, ComparedQuote } from './compared-claims';
import { figureChanges } from './figures';
import { turnedEffect } from './turned-effect';

interface TextChange {
  before: string;
  after: string;
}

/** What two versions of a finding say differently: words, quotes, figures, direction. */
export function statementChanges(
  one: ComparedClaim,
  other: ComparedClaim,
  titleOf: (source: string) => string,
): FindingChange[] {
  const quotes = quoteChanges(one, other);
  const wording = wordingChange(one, other);
  const told = quotes.some((quote) => wording !== null && sameChange(quote, wording));
  const versions = [...quotes, ...(wording === null ? [] : [wording])];
  const figures = distinctBy(
    versions.flatMap(({ before, after }) => figureChanges(before, after)),
    ({ before, after }) => `${before}|${after}`,
  );
  return [
    ...(wording === null || told ? [] : [{ kind: 'wording' as const, ...wording }]),
    ...quotes.map((quote) => ({ kind: 'quote' as const, ...quote, source: titleOf(quote.source) })),
    ...(figures.length === 0 ? [] : [{ kind: 'figures' as const, figures }]),
    ...(quotes.length === 0 ? [] : directionChange(one.quotes, other.quotes)),
  ];
}

/** What is said in other words. A frame around quotes tells what the sources' own data tell, as its place in the report asks. */
function wordingChange(one: ComparedClaim, other: ComparedClaim): TextChange | null {
  if ((one.framed && other.framed) || one.statementKey === other.statementKey) return null;
  return { before: one.statement, after: other.statement };
}

/** What each source that both cite is quoted with, where that is not the same. */
function quoteChanges(one: ComparedClaim, other: ComparedClaim): (TextChange & { source: string })[] {
  const sourceOf = ({ source }: ComparedQuote): string => source;
  const after = groupedBy(other.quotes, sourceOf);
  return [...groupedBy(one.quotes, sourceOf)].flatMap(([source, quotes]) => {
    const others = after.get(source);
    if (others === undefined || keysOf(quotes) === keysOf(others)) return [];
    return [{ source, before: textOf(quotes), after: textOf(others) }];
  });
}

function keysOf(quotes: readonly ComparedQuote[]): string {
  return [...new Set(quotes.map(({ key }) => key))].sort().join('|');
}

function textOf(quotes: readonly ComparedQuote[]): string {
  return [...new Set(quotes.map(({ quote }) => quote.replace(/\s+/g, ' ').trim()))].join(' … ');
}

function directionChange(before: readonly ComparedQuote[], after: readonly ComparedQuote[]): FindingChange[] {
  for (const one of before) {
    for (const other of after) {
      if (one.source !== other.source || !areOnOneMatter(one, other)) continue;
      const turned = turnedEffect(one.quote, other.quote);
      if (turned !== null) return [{ kind: 'direction', ...turned }];
    }
  }
  return [];
}

function sameChange(one: TextChange, other: TextChange): boolean {
  return (
    sentenceKey(one.before) === sentenceKey(other.before) &&
    sentenceKey(one.after) === sentenceKey(other.after)
  );
}
