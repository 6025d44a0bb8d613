import type { Evidence, Finding } from '../../contracts/finding';
import type { SourceWindow } from '../../contracts/source';
import {
  asksForValue,
  type Clash,
  clashesIn,
  comparedPair,
  type ComparedPair,
  comparedPairs,
  indexStatements,
  placeKey,
  quotedStatement,
  type QuotedStatement,
  quotedStatements,
  type StatementIndex,
} from '../../evidence/clashes';
import { conflictsOf } from '../../evidence/conflicts';
import {
  corroboratedConfidence,
  needsChecking,
  originalOf,
  type SourcesById,
} from '../../evidence/corroboration';
import { measuredValue, statementStems } from '../../evidence/statement';
import { distinctBy } from '../../lib/iterables';
import type { CrossCheckInput, CrossCheckOutput, FindingCheck } from '../../steps/cross-check';
import { type Question, readQuestion } from '../../text/question';
import { quotableSentences } from '../../text/sentence-selection';
import { terms } from '../../text/words';

/** Least share of the question's words for a conflict between sentences that are no findings. */
const MIN_QUESTION_SHARE = 0.25;
/** Sentences of further sources per quote: those with the most words in common. */
const SENTENCES_PER_QUOTE = 25;
/** Sentences with a measured value that are compared with each other, if the question asks for values. */
const MAX_MEASURED_SENTENCES = 25;

/** Gaps are listed later, for all sections together. */
export function crossCheckExtractively(input: CrossCheckInput): CrossCheckOutput {
  const { findings, sources: windows, detectConflicts } = input;
  const sources: SourcesById = new Map(windows.map((window) => [window.sourceId, window]));
  const checked = findings.filter((finding) => needsChecking(finding, input));
  const asked = readQuestion(input.question);
  const quotes = quotedStatements(findings, sources, asked);
  const found = findPairs(windowStatements(windows), {
    quotes,
    checked,
    sources,
    detectConflicts,
    asked,
  });
  const clashes = detectConflicts
    ? clashesIn(found.pairs).filter((clash) => isReportable(clash, asked, sources))
    : [];
  return {
    checks: findings.map((finding) =>
      checkOf(finding, { ...found, clashes, isChecked: checked.includes(finding), sources }),
    ),
    conflicts: conflictsOf(clashes, sources, found.weightOf),
    gaps: [],
  };
}

interface WindowStatements {
  sentences: Evidence[];
  index: StatementIndex;
}

function windowStatements(windows: readonly SourceWindow[]): WindowStatements {
  const read = quotableSentences(windows);
  const sentences = windows.flatMap(({ sourceId }, at) =>
    (read[at] ?? []).map(({ start, end, text }): Evidence => ({ sourceId, quote: text, start, end })),
  );
  return { sentences, index: indexStatements(sentences.map(({ quote }) => statementStems(quote))) };
}

function findPairs(
  { sentences, index }: WindowStatements,
  {
    quotes,
    checked,
    sources,
    detectConflicts,
    asked,
  }: {
    quotes: readonly QuotedStatement[];
    checked: readonly Finding[];
    sources: SourcesById;
    detectConflicts: boolean;
    asked: Question;
  },
): { pairs: ComparedPair[]; weightOf: (stem: string) => number } {
  const quoteAt = new Map(quotes.map((quote) => [placeKey(quote.evidence), quote]));
  const read = new Map<number, QuotedStatement | null>();
  const statementAt = (at: number): QuotedStatement | null => {
    const known = read.get(at);
    const evidence = sentences[at];
    if (known !== undefined || evidence === undefined) return known ?? null;
    const statement = quoteAt.get(placeKey(evidence)) ?? quotedStatement(evidence, sources, asked);
    read.set(at, statement);
    return statement;
  };
  const compared = (
    one: QuotedStatement | null,
    other: QuotedStatement | null,
    areOfOneValue = false,
  ): ComparedPair[] =>
    one === null || other === null
      ? []
      : comparedPair(one, other, index.weightOf, { answerOne: areOfOneValue, asked });
  // In other words, a further source may measure another value than the requested one.
  const inSameWords = ({ statement }: QuotedStatement): boolean =>
    asksForValue(asked) && statement.measured === null;
  const measuring =
    detectConflicts && asked.asksOfValues
      ? sentences
          .flatMap(({ quote }, at) => (measuredValue(quote) === null ? [] : [at]))
          .slice(0, MAX_MEASURED_SENTENCES)
      : [];
  const ids = new Set(checked.map(({ id }) => id));
  const pairs = [
    ...comparedPairs(quotes, asked).pairs,
    ...quotes
      .filter(({ findingId = '' }) => ids.has(findingId))
      .flatMap((quote) =>
        index
          .nearest(quote.statement.matter, SENTENCES_PER_QUOTE)
          .flatMap((at) => compared(quote, statementAt(at), inSameWords(quote))),
      ),
    ...(detectConflicts ? index.closePairs() : []).flatMap(([one, other]) =>
      compared(statementAt(one), statementAt(other)),
    ),
    ...measuring.flatMap((one, at) =>
      measuring.slice(at + 1).flatMap((other) => compared(statementAt(one), statementAt(other), true)),
    ),
  ];
  return {
    pairs: distinctBy(pairs, ({ a, b }) => [a, b].map(sideKey).sort().join(' ')),
    weightOf: index.weightOf,
  };
}

function sideKey({ evidence, findingId = '' }: QuotedStatement): string {
  return `${placeKey(evidence)} ${findingId}`;
}

/** Other figures of sources rarely concern the question. */
function isReportable({ a, b, comparison }: Clash, asked: Question, sources: SourcesById): boolean {
  const isChosen = a.findingId !== undefined || b.findingId !== undefined;
  const areAskedFor = asked.asksOfValues && a.statement.measured !== null && b.statement.measured !== null;
  if (isChosen || areAskedFor) return true;
  const isEffect = comparison.kind !== 'number' || a.statement.verdict !== null;
  const said = ({ evidence: { sourceId, quote } }: QuotedStatement): string =>
    `${sources.get(sourceId)?.title ?? ''} ${quote}`;
  return isEffect && [a, b].some((side) => isOnQuestion(said(side), asked));
}

function isOnQuestion(text: string, { words, asking }: Question): boolean {
  const said = new Set(terms(text));
  const about = words.filter((word) => !asking.has(word));
  return about.filter((word) => said.has(word)).length >= MIN_QUESTION_SHARE * about.length;
}

interface CheckContext {
  pairs: readonly ComparedPair[];
  clashes: readonly Clash[];
  isChecked: boolean;
  sources: SourcesById;
}

function checkOf(finding: Finding, { pairs, clashes, isChecked, sources }: CheckContext): FindingCheck {
  const roots = new Set(finding.citations.map((id) => originalOf(id, sources)));
  const othersIn = (found: readonly ComparedPair[]): QuotedStatement[] =>
    found.flatMap(({ a, b }) => [
      ...(a.findingId === finding.id ? [b] : []),
      ...(b.findingId === finding.id ? [a] : []),
    ]);
  const against = othersIn(clashes);
  const torn = new Set(against.map(({ root }) => root));
  const agreeing = isChecked
    ? othersIn(pairs.filter(({ comparison }) => comparison.relation === 'agree'))
    : [];
  const supporting = distinctBy(
    agreeing.filter(({ root }) => !roots.has(root) && !torn.has(root)).map(({ evidence }) => evidence),
    ({ sourceId }) => sourceId,
  );
  const conflicting = against.length > 0;
  return {
    findingId: finding.id,
    supporting,
    contradicting: distinctBy(
      against.map(({ evidence }) => evidence),
      ({ sourceId }) => sourceId,
    ),
    confidence:
      isChecked || conflicting
        ? corroboratedConfidence(finding, [...finding.evidence, ...supporting], { sources, conflicting })
        : finding.confidence,
  };
}
