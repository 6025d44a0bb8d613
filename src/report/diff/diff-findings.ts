import {
  type ChangedFinding,
  type DiffFinding,
  DiffSource,
  type FindingChange,
  type Report,
  type ReportDiff,
} from '../../contracts/report';
import { confidenceWord } from '../../evidence/corroboration';
import { distinctBy, groupBy } from '../../lib/iterables';
import { sentenceKey } from '../../text/duplicates';
import {
  type ComparedClaim,
  comparedClaims,
  type ComparedQuote,
  figureChanges,
  haveSameTopic,
  quoteSimilarity,
  reversedEffect,
} from './compared-claims';
import type { ComparedSources, SectionPairs, SourceKeys } from './pairing';

/** `pairs` maps indices of findings that both reports have; `moved` are the sources that differ. */
export function diffFindings(
  before: ReportSide,
  after: ReportSide,
  pairs: ReadonlyMap<number, number>,
  sections: SectionPairs,
  moved: ComparedSources['moved'],
): ReportDiff['findings'] {
  const partners = new Map([...pairs].map(([at, against]) => [against, at]));
  const added = after.claims.filter((_claim, at) => !partners.has(at));
  const gone = before.claims.filter((_claim, at) => !pairs.has(at));
  const told = (claims: readonly ComparedClaim[], side: ReportSide): DiffFinding[] =>
    claims.map((claim) => diffFinding(claim, side, side === after ? before : after));
  return {
    new: told(added.filter(citesAny(after, moved.after)), after),
    newlyQuoted: told(added.filter(negate(citesAny(after, moved.after))), after),
    changed: after.claims.flatMap((claim, at): ChangedFinding[] => {
      const earlier = before.claims[partners.get(at) ?? -1];
      if (earlier === undefined) return [];
      const changes = findingChanges({ side: before, claim: earlier }, { side: after, claim }, sections);
      if (changes.length === 0) return [];
      return [{ before: diffFinding(earlier, before), after: diffFinding(claim, after), changes }];
    }),
    notQuoted: told(gone.filter(negate(citesAny(before, moved.before))), before),
    withdrawn: told(gone.filter(citesAny(before, moved.before)), before),
  };
}

type ClaimPredicate = (compared: ComparedClaim) => boolean;

function citesAny({ report }: ReportSide, sourceIds: ReadonlySet<string>): ClaimPredicate {
  const numbers = new Set(
    report.citations.filter(({ sourceId }) => sourceIds.has(sourceId)).map(({ n }) => n),
  );
  return ({ claim }) => claim.citations.some((n) => numbers.has(n));
}

function negate(choice: ClaimPredicate): ClaimPredicate {
  return (compared) => !choice(compared);
}

/** `elsewhere` is the other report, for a finding without a partner that may be a part of another one. */
function diffFinding(compared: ComparedClaim, side: ReportSide, elsewhere?: ReportSide): DiffFinding {
  const { claim, statement, verbatim, quotes, sources } = compared;
  const whole = elsewhere?.claims.find(
    (other) =>
      quotes.length > 0 &&
      quotes.every((quote) => other.quotes.some((rival) => quoteSimilarity(quote, rival) > 0)),
  );
  return {
    claimId: claim.id,
    statement,
    verbatim,
    section: sectionOf({ side, claim: compared }),
    sources: sourcesOf(side, sources),
    confidence: claim.confidence,
    verdict: claim.verdict,
    ...(whole === undefined ? {} : { partOf: whole.statement }),
  };
}

/** Ignores citation numbers, ids and order. */
function findingChanges(
  before: { side: ReportSide; claim: ComparedClaim },
  after: { side: ReportSide; claim: ComparedClaim },
  sections: SectionPairs,
): FindingChange[] {
  const [one, other] = [before.claim, after.claim];
  return [
    ...statementChanges(one, other, (source) => after.side.sources.get(source)?.title ?? source),
    ...confidenceChange(one.claim.confidence, other.claim.confidence),
    ...(one.claim.verdict === other.claim.verdict
      ? []
      : [{ kind: 'verdict' as const, before: one.claim.verdict, after: other.claim.verdict }]),
    ...sourceChanges({ side: before.side, keys: one.sources }, { side: after.side, keys: other.sources }),
    ...(sections.get(one.claim.sectionId) === other.claim.sectionId
      ? []
      : [{ kind: 'section' as const, before: sectionOf(before), after: sectionOf(after) }]),
  ];
}

/** Compares two decimals, as shown in a report. */
function confidenceChange(before: number, after: number): FindingChange[] {
  if (before.toFixed(2) === after.toFixed(2)) return [];
  const told = (value: number): { value: number; word: ReturnType<typeof confidenceWord> } => ({
    value,
    word: confidenceWord(value),
  });
  return [{ kind: 'confidence', before: told(before), after: told(after) }];
}

interface TextChange {
  before: string;
  after: string;
}

function statementChanges(
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

/** Null between two framed quotes: their frame depends on the position in the report. */
function wordingChange(one: ComparedClaim, other: ComparedClaim): TextChange | null {
  if ((one.framed && other.framed) || one.statementKey === other.statementKey) return null;
  return { before: one.statement, after: other.statement };
}

function quoteChanges(one: ComparedClaim, other: ComparedClaim): (TextChange & { source: string })[] {
  const sourceOf = ({ source }: ComparedQuote): string => source;
  const after = groupBy(other.quotes, sourceOf);
  return [...groupBy(one.quotes, sourceOf)].flatMap(([source, quotes]) => {
    const others = after.get(source);
    if (others === undefined || quoteKeys(quotes) === quoteKeys(others)) return [];
    return [{ source, before: textOf(quotes), after: textOf(others) }];
  });
}

function quoteKeys(quotes: readonly ComparedQuote[]): string {
  return [...new Set(quotes.map(({ key }) => key))].sort().join('|');
}

function textOf(quotes: readonly ComparedQuote[]): string {
  return [...new Set(quotes.map(({ quote }) => quote.replace(/\s+/g, ' ').trim()))].join(' … ');
}

function directionChange(before: readonly ComparedQuote[], after: readonly ComparedQuote[]): FindingChange[] {
  for (const one of before) {
    for (const other of after) {
      if (one.source !== other.source || !haveSameTopic(one, other)) continue;
      const turned = reversedEffect(one.quote, other.quote);
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

export interface ReportSide {
  report: Report;
  claims: readonly ComparedClaim[];
  keys: SourceKeys;
  sources: ReadonlyMap<string, DiffSource>;
  sectionTitles: ReadonlyMap<string, string>;
}

export function reportSide(report: Report, keys: SourceKeys): ReportSide {
  return {
    report,
    claims: comparedClaims(report, keys),
    keys,
    sources: new Map(report.citations.map(({ n, ...cited }) => [keys.get(n) ?? '', DiffSource.parse(cited)])),
    sectionTitles: new Map(report.sections.map(({ id, title }) => [id, title])),
  };
}

export function keysOf(side: Pick<ReportSide, 'keys'>, citations: readonly number[]): Set<string> {
  return new Set(citations.flatMap((n) => side.keys.get(n) ?? []));
}

export function sourcesOf(side: Pick<ReportSide, 'sources'>, keys: Iterable<string>): DiffSource[] {
  return [...keys].flatMap((key) => side.sources.get(key) ?? []);
}

export function sourceChanges(
  before: { side: ReportSide; keys: ReadonlySet<string> },
  after: { side: ReportSide; keys: ReadonlySet<string> },
): { kind: 'sources'; added: DiffSource[]; removed: DiffSource[] }[] {
  const added = sourcesOf(after.side, keysWithout(after.keys, before.keys));
  const removed = sourcesOf(before.side, keysWithout(before.keys, after.keys));
  return added.length + removed.length === 0 ? [] : [{ kind: 'sources', added, removed }];
}

export function keysWithout(keys: Iterable<string>, others: ReadonlySet<string>): string[] {
  return [...keys].filter((key) => !others.has(key));
}

function sectionOf({ side, claim: { claim } }: { side: ReportSide; claim: ComparedClaim }): string {
  return side.sectionTitles.get(claim.sectionId) ?? claim.sectionId;
}
