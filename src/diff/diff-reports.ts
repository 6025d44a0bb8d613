import type { Report } from '../contracts/report/report';
import type { ReportDiff } from '../contracts/report/report-diff';
import { distinctBy } from '../core/values/distinct-by';
import { sentenceKey } from '../core/duplicates/near-duplicate-sentences';
import { diffConflicts } from './diff-conflicts';
import { diffFindings } from './diff-findings';
import { diffSetAside } from './diff-set-aside';
import { diffNotes } from './diff-notes';
import { pairClaims } from './pair-claims';
import { pairSections, type SectionPairs } from './pair-sections';
import { pairSources } from './pair-sources';
import { compareSources, type ReadSources } from './compare-sources-read';
import { reportSide, type ReportSide, sourcesOf, without } from './report-side';

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

/** The questions of the one list that the other does not ask, without repeats. */
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
