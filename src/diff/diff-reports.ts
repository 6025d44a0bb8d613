import type { Report } from '../contracts/report/report';
import type { ReportDiff } from '../contracts/report/report-diff';
import { distinctBy } from '../core/values/distinct-by';
import { sentenceKey } from '../core/duplicates/near-duplicate-sentences';
import { diffConflicts } from './diff-conflicts';
import { diffFindings } from './diff-findings';
import { diffSetAside } from './diff-set-aside';
import { pairSections, type SectionPairs } from './pair-sections';
import { pairSources } from './pair-sources';
import { compareSources, type ReadSources } from './compare-sources-read';
import { reportSide, type ReportSide, sourcesOf, without } from './report-side';
import type { ComparedClaim } from './compared-claims';
import { quoteLikeness, sharedWords, versionOf } from './compare-quotes';
import { pairBestFirst } from './pair-best-first';

/**
 * Two reports compared by what they say. Pure, and the same seen from either side: what is new from the one to the
 * other is withdrawn from the other to the one. `read` is what the two runs have read, null where it is not known.
 */
export function diffReports(before: Report, after: Report, read: ReadSources | null = null): ReportDiff {
  const readSources = compareSources(read);
  const keys = pairSources(before.citations, after.citations);
  const [one, other] = [reportSide(before, keys.before), reportSide(after, keys.after)];
  const pairs = pairClaims(one.claims, other.claims);
  const sections = pairSections(before.sections, after.sections, movesOf(pairs, one, other));
  const findings = diffFindings(one, other, pairs, sections, readSources.moved);
  const { unchanged: sameConflicts, ...conflicts } = diffConflicts(one, other);
  const setAside = diffSetAside(one, other);
  const gaps = { opened: onlyIn(after.gaps, before.gaps), closed: onlyIn(before.gaps, after.gaps) };
  const cited = [new Set(one.sources.keys()), new Set(other.sources.keys())] as const;
  const sources = {
    read: readSources.read,
    newlyCited: sourcesOf(other, without(other.sources.keys(), cited[0])),
    noLongerCited: sourcesOf(one, without(one.sources.keys(), cited[1])),
  };
  return {
    kind: 'diff',
    before: diffedReport(before),
    after: diffedReport(after),
    notes: diffNotes(before, after, read !== null),
    summary: {
      findings: {
        new: findings.new.length,
        newlyQuoted: findings.newlyQuoted.length,
        changed: findings.changed.length,
        notQuoted: findings.notQuoted.length,
        withdrawn: findings.withdrawn.length,
        unchanged: pairs.size - findings.changed.length,
      },
      setAside: {
        newly: setAside.newly.length,
        noLonger: setAside.noLonger.length,
        inBoth: after.setAside.length - setAside.newly.length,
      },
      conflicts: {
        opened: conflicts.opened.length,
        closed: conflicts.closed.length,
        changed: conflicts.changed.length,
        unchanged: sameConflicts,
      },
      gaps: {
        opened: gaps.opened.length,
        closed: gaps.closed.length,
        unchanged: onlyIn(after.gaps, []).length - gaps.opened.length,
      },
      sources: {
        read: sources.read && {
          changed: sources.read.changed.length,
          came: sources.read.came.length,
          went: sources.read.went.length,
          unchanged: readSources.unchanged,
        },
        newlyCited: sources.newlyCited.length,
        noLongerCited: sources.noLongerCited.length,
        inBoth: other.sources.size - sources.newlyCited.length,
      },
    },
    sources,
    findings,
    setAside,
    conflicts,
    gaps,
    sections: diffSections(before, after, sections),
  };
}

function movesOf(
  pairs: ReadonlyMap<number, number>,
  before: ReportSide,
  after: ReportSide,
): { before: string; after: string }[] {
  return [...pairs].flatMap(([at, against]) => {
    const [one, other] = [before.claims[at], after.claims[against]];
    return one === undefined || other === undefined
      ? []
      : [{ before: one.claim.sectionId, after: other.claim.sectionId }];
  });
}

function onlyIn(gaps: readonly string[], others: readonly string[]): string[] {
  return distinctBy(gaps, sentenceKey, others.map(sentenceKey));
}

function diffSections(before: Report, after: Report, pairs: SectionPairs): ReportDiff['sections'] {
  const titles = new Map(after.sections.map(({ id, title }) => [id, title]));
  const kept = new Set(pairs.values());
  return {
    added: after.sections.filter(({ id }) => !kept.has(id)).map(({ title }) => title),
    removed: before.sections.filter(({ id }) => !pairs.has(id)).map(({ title }) => title),
    renamed: before.sections.flatMap(({ id, title }) => {
      const later = titles.get(pairs.get(id) ?? '');
      return later === undefined || sentenceKey(later) === sentenceKey(title)
        ? []
        : [{ before: title, after: later }];
    }),
  };
}

function diffedReport(report: Report): ReportDiff['before'] {
  const { id, question, title, status, provenance } = report;
  return { id, question, title, status, engine: provenance.engine, asOf: provenance.asOf };
}

function diffNotes(before: Report, after: Report, areSourcesKnown: boolean): string[] {
  const notes: string[] = [];
  if (sentenceKey(before.question) !== sentenceKey(after.question))
    notes.push(`The two reports answer different questions: “${before.question}” and “${after.question}”.`);
  if (before.provenance.engine !== after.provenance.engine)
    notes.push(
      `The ${before.provenance.engine} engine wrote the first and the ${after.provenance.engine} engine the second, so the same finding may be worded otherwise.`,
    );
  for (const { id, status } of [before, after]) {
    if (status !== 'completed')
      notes.push(`Run ${id} ended as ${status}: what its report lacks stands here as a difference.`);
  }
  if (!areSourcesKnown)
    notes.push(
      'What the two runs have read is not known, so a finding that only one report has may be new or withdrawn, or only quoted in one.',
    );
  return notes;
}

/** Above every score of what comes after it. */
const SHARES_A_QUOTE = 10;
const SAYS_THE_SAME = 5;
const CORRECTED = 2;
const REWORDED = 1;

/**
 * Which claim of the one report is which of the other, by what they rest on and say, never by id, number or place:
 * those that share a quote first, then those that say the same of another source, then those in which a source that
 * both cite says the same outcome with another number, direction or wording.
 */
function pairClaims(before: readonly ComparedClaim[], after: readonly ComparedClaim[]): Map<number, number> {
  const pairs = pairBestFirst(before, after, evidenceLikeness);
  const taken = new Set(pairs.values());
  const versions = pairBestFirst(before, after, (one, other, at) =>
    pairs.has(at.before) || taken.has(at.after) ? 0 : versionLikeness(one, other),
  );
  return new Map([...pairs, ...versions]);
}

function evidenceLikeness(one: ComparedClaim, other: ComparedClaim): number {
  const shared = sharedQuotes(one, other);
  const sameStatement = one.statementKey === other.statementKey;
  if (shared === 0) return sameStatement ? SAYS_THE_SAME + sharedWords(one.sources, other.sources) : 0;
  const [first, otherFirst] = [one.quotes[0], other.quotes[0]];
  const sameFirst = first === undefined || otherFirst === undefined ? 0 : quoteLikeness(first, otherFirst);
  return (
    SHARES_A_QUOTE +
    2 * shared +
    1.5 * sameFirst +
    (sameStatement ? 1 : sharedWords(one.words, other.words) / 2)
  );
}

/** The share of both claims' quotes that the other has too, 0–1. */
function sharedQuotes(one: ComparedClaim, other: ComparedClaim): number {
  const quotes = Math.max(1, one.quotes.length + other.quotes.length);
  return (quotesFoundIn(one, other) + quotesFoundIn(other, one)) / quotes;
}

function quotesFoundIn(one: ComparedClaim, other: ComparedClaim): number {
  return one.quotes.reduce(
    (sum, quote) => sum + Math.max(0, ...other.quotes.map((rival) => quoteLikeness(quote, rival))),
    0,
  );
}

function versionLikeness(one: ComparedClaim, other: ComparedClaim): number {
  const versions = one.quotes.flatMap((quote) => other.quotes.map((rival) => versionOf(quote, rival)));
  const kind = versions.includes('corrected') ? CORRECTED : versions.includes('reworded') ? REWORDED : 0;
  return kind === 0 ? 0 : kind + sharedWords(one.words, other.words) / 2;
}
