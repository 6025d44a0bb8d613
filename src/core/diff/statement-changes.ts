import type { FindingChange } from '../contracts/report-diff';
import { sentenceKey } from '../near-duplicate-sentences';
import { areOnOneMatter } from './compare-quotes';
import type { ComparedClaim, ComparedQuote } from './compared-claims';
import { type FigureChange, figureChanges } from './figures';
import { turnedEffect } from './turned-effect';

/** Who took part, as frames tell it: `a randomised trial of 64 older adults in Norway over 12 weeks`. */
const PARTICIPANTS = /\ban? [^“”,()]*? of ([^“”,()]+?)(?= in (?:\p{Lu}|the )| over |[,)]|\.?$)/gu;

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
  const figures = distinct([
    ...quotes.flatMap(({ before, after }) => figureChanges(before, after)),
    ...(one.framed && other.framed
      ? frameFigures(one, other)
      : figureChanges(one.statement, other.statement)),
  ]);
  return [
    ...(wording === null || told ? [] : [{ kind: 'wording' as const, ...wording }]),
    ...quotes.map(({ source, before, after }) => ({
      kind: 'quote' as const,
      source: titleOf(source),
      before,
      after,
    })),
    ...(figures.length === 0 ? [] : [{ kind: 'figures' as const, figures }]),
    ...(quotes.length === 0 ? [] : directionChange(one.quotes, other.quotes)),
  ];
}

/** What is said in other words; of what only frames quotes, see `sameFrameSources`. */
function wordingChange(one: ComparedClaim, other: ComparedClaim): TextChange | null {
  if (!one.framed || !other.framed)
    return one.statementKey === other.statementKey ? null : { before: one.statement, after: other.statement };
  const isChanged = sameFrameSources(one, other) && contradict(participantsIn(one), participantsIn(other));
  return isChanged ? { before: one.frame, after: other.frame } : null;
}

/** `88 patients` that have become 96. A number that only one frame has is there or not as its place is. */
function frameFigures(one: ComparedClaim, other: ComparedClaim): FigureChange[] {
  if (!sameFrameSources(one, other)) return [];
  return figureChanges(one.frame, other.frame).filter(
    ({ before, after }) => before !== null && after !== null,
  );
}

/**
 * Frames tell of whom, where and in what study: at full length where a source is new to the reader, shortly where it goes
 * on. They are held against each other where they are of the same sources with the same one first.
 */
function sameFrameSources(one: ComparedClaim, other: ComparedClaim): boolean {
  return (
    one.quotes[0]?.source === other.quotes[0]?.source &&
    [...one.sources].sort().join() === [...other.sources].sort().join()
  );
}

/** Without their numbers, which are figures. */
function participantsIn({ frame }: ComparedClaim): string[] {
  return [...frame.matchAll(PARTICIPANTS)].map(([, people = '']) => sentenceKey(people.replace(/\d+/g, '')));
}

/** Each side says something that the other does not; what one side only leaves out is no contradiction. */
function contradict(one: readonly string[], other: readonly string[]): boolean {
  return one.some((term) => !other.includes(term)) && other.some((term) => !one.includes(term));
}

/** What each source that both cite is quoted with, where that is not the same. */
function quoteChanges(one: ComparedClaim, other: ComparedClaim): (TextChange & { source: string })[] {
  const [before, after] = [bySource(one.quotes), bySource(other.quotes)];
  return [...before].flatMap(([source, quotes]) => {
    const others = after.get(source);
    if (others === undefined || keysOf(quotes) === keysOf(others)) return [];
    return [{ source, before: textOf(quotes), after: textOf(others) }];
  });
}

function bySource(quotes: readonly ComparedQuote[]): Map<string, ComparedQuote[]> {
  const found = new Map<string, ComparedQuote[]>();
  for (const quote of quotes) found.set(quote.source, [...(found.get(quote.source) ?? []), quote]);
  return found;
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

function distinct(figures: readonly FigureChange[]): FigureChange[] {
  return [...new Map(figures.map((figure) => [`${figure.before}|${figure.after}`, figure])).values()];
}
