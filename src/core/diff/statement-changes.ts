import { DIRECTION_IN_WORDS } from '../conflicts/explanation';
import type { FindingChange } from '../contracts/report-diff';
import { sentenceKey } from '../near-duplicate-sentences';
import { stemOf, terms } from '../text/words';
import { compareQuotes } from './compare-quotes';
import type { ComparedClaim, ComparedQuote } from './compared-claims';
import { type FigureChange, figureChanges } from './figures';

/** With what words quotes are introduced. */
const FRAME_WORDS: ReadonlySet<string> = new Set(
  'report reports state states write writes according contrast agreement likewise colleagues study source sources article'
    .split(' ')
    .map(stemOf),
);

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
  const texts = [...quotes, ...(wording === null ? [] : [wording])];
  const figures = distinct(texts.flatMap(({ before, after }) => figureChanges(before, after)));
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

/** The sentences where they say something else. What only frames a quote may be longer or shorter, as its place is. */
function wordingChange(one: ComparedClaim, other: ComparedClaim): TextChange | null {
  if (one.framed && other.framed) {
    const sameSources = [...one.sources].sort().join() === [...other.sources].sort().join();
    return sameSources && contradict(frameTerms(one), frameTerms(other))
      ? { before: one.sentence, after: other.sentence }
      : null;
  }
  return one.statementKey === other.statementKey ? null : { before: one.statement, after: other.statement };
}

/** What the sentence says beside its quotes: of whom, where, in what study. */
function frameTerms({ sentence, quotes }: ComparedClaim): Set<string> {
  let frame = ` ${sentenceKey(sentence)} `;
  for (const { key } of quotes) frame = frame.replace(` ${key} `, ' ');
  return new Set(terms(frame).filter((term) => !FRAME_WORDS.has(term)));
}

function contradict(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].some((term) => !other.has(term)) && [...other].some((term) => !one.has(term));
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
      if (one.source !== other.source) continue;
      const comparison = compareQuotes(one, other);
      if (comparison?.relation !== 'opposed') continue;
      const [left, right] = comparison.sides.map(({ direction }) => direction);
      // A negation may turn the sense without the direction that was read from the words.
      if (left === undefined || right === undefined || left === null || right === null || left === right)
        return [{ kind: 'direction', before: null, after: null }];
      return [{ kind: 'direction', before: DIRECTION_IN_WORDS[left], after: DIRECTION_IN_WORDS[right] }];
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
