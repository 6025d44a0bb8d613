import type {
  ConflictChange,
  DiffConflict,
  DiffSetAside,
  Report,
  ReportConflict,
  ReportDiff,
  ReportSetAside,
} from '../../contracts/report';
import { favouredView } from '../../evidence/corroboration';
import { distinctBy } from '../../lib/iterables';
import { formatQuote, toSafeLine } from '../../lib/untrusted-text';
import { sentenceKey } from '../../text/duplicates';
import { terms } from '../../text/words';
import { type ComparedClaim, compareVersions, quoteSimilarity, sharedWords } from './compared-claims';
import {
  diffFindings,
  keysOf,
  keysWithout,
  reportSide,
  type ReportSide,
  sourceChanges,
  sourcesOf,
} from './diff-findings';
import { titleText } from './diff-lines';
import {
  compareSources,
  pairBestFirst,
  pairSections,
  pairSources,
  type ReadSources,
  type SectionPairs,
} from './pairing';

/** Minimum share of common words for two topics to be similar. */
const MIN_TOPIC_SIMILARITY = 0.5;

/** Number of views that both reports need for a conflict to be the same. */
const MIN_SHARED_VIEWS = 2;

/** Pure and symmetric: new findings in one direction are withdrawn ones in the other. `read` is null if unknown. */
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
    newlyCited: sourcesOf(other, keysWithout(other.sources.keys(), cited[0])),
    noLongerCited: sourcesOf(one, keysWithout(one.sources.keys(), cited[1])),
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

/** Higher than any score of the criteria below. */
const SHARED_QUOTE_SCORE = 10;
const SAME_STATEMENT_SCORE = 5;
const CORRECTED_SCORE = 2;
const REWORDED_SCORE = 1;

/** Pairs claims with a shared quote first, then equal statements of other sources, then versions of one outcome from a shared source. */
function pairClaims(before: readonly ComparedClaim[], after: readonly ComparedClaim[]): Map<number, number> {
  const pairs = pairBestFirst(before, after, evidenceSimilarity);
  const taken = new Set(pairs.values());
  const versions = pairBestFirst(before, after, (one, other, at) =>
    pairs.has(at.before) || taken.has(at.after) ? 0 : versionSimilarity(one, other),
  );
  return new Map([...pairs, ...versions]);
}

function evidenceSimilarity(one: ComparedClaim, other: ComparedClaim): number {
  const shared = sharedQuotes(one, other);
  const sameStatement = one.statementKey === other.statementKey;
  if (shared === 0) return sameStatement ? SAME_STATEMENT_SCORE + sharedWords(one.sources, other.sources) : 0;
  const [first, otherFirst] = [one.quotes[0], other.quotes[0]];
  const sameFirst = first === undefined || otherFirst === undefined ? 0 : quoteSimilarity(first, otherFirst);
  return (
    SHARED_QUOTE_SCORE +
    2 * shared +
    1.5 * sameFirst +
    (sameStatement ? 1 : sharedWords(one.words, other.words) / 2)
  );
}

/** Share of both claims' quotes that the other has too, 0–1. */
function sharedQuotes(one: ComparedClaim, other: ComparedClaim): number {
  const quotes = Math.max(1, one.quotes.length + other.quotes.length);
  return (quotesFoundIn(one, other) + quotesFoundIn(other, one)) / quotes;
}

function quotesFoundIn(one: ComparedClaim, other: ComparedClaim): number {
  return one.quotes.reduce(
    (sum, quote) => sum + Math.max(0, ...other.quotes.map((rival) => quoteSimilarity(quote, rival))),
    0,
  );
}

function versionSimilarity(one: ComparedClaim, other: ComparedClaim): number {
  const versions = one.quotes.flatMap((quote) => other.quotes.map((rival) => compareVersions(quote, rival)));
  const kind = versions.includes('corrected')
    ? CORRECTED_SCORE
    : versions.includes('reworded')
      ? REWORDED_SCORE
      : 0;
  return kind === 0 ? 0 : kind + sharedWords(one.words, other.words) / 2;
}

interface View {
  statement: string;
  key: string;
  sources: ReadonlySet<string>;
}

interface ComparedConflict {
  conflict: ReportConflict;
  topicKey: string;
  topicTerms: readonly string[];
  views: readonly View[];
  favoured: number | null;
}

type ConflictsDiff = ReportDiff['conflicts'] & { unchanged: number };

/** Two conflicts are one if their views quote or cite the same on a similar topic, or if their topics are equal. */
function diffConflicts(before: ReportSide, after: ReportSide): ConflictsDiff {
  const [ones, others] = [comparedConflicts(before), comparedConflicts(after)];
  const pairs = pairBestFirst(ones, others, conflictSimilarity);
  const taken = new Map([...pairs].map(([at, against]) => [against, at]));
  const matched = others.flatMap((other, against) => {
    const one = ones[taken.get(against) ?? -1];
    if (one === undefined) return [];
    const changes = changesOf({ side: before, conflict: one }, { side: after, conflict: other });
    return [{ before: diffConflict(one, before), after: diffConflict(other, after), changes }];
  });
  const changed = matched.filter(({ changes }) => changes.length > 0);
  return {
    opened: others.filter((_other, at) => !taken.has(at)).map((conflict) => diffConflict(conflict, after)),
    closed: ones.filter((_one, at) => !pairs.has(at)).map((conflict) => diffConflict(conflict, before)),
    changed,
    unchanged: matched.length - changed.length,
  };
}

function comparedConflicts(side: ReportSide): ComparedConflict[] {
  return side.report.conflicts.map((conflict) => ({
    conflict,
    topicKey: sentenceKey(conflict.topic),
    topicTerms: terms(conflict.topic),
    views: conflict.viewpoints.map(({ statement, citations }) => ({
      statement,
      key: sentenceKey(statement),
      sources: keysOf(side, citations),
    })),
    favoured: favouredView(conflict.resolution),
  }));
}

function conflictSimilarity(one: ComparedConflict, other: ComparedConflict): number {
  const sameTopic = one.topicKey === other.topicKey;
  const topics = sharedWords(one.topicTerms, other.topicTerms);
  const views = pairViews(one, other, sameTopic || topics >= MIN_TOPIC_SIMILARITY);
  if (views.size < MIN_SHARED_VIEWS && !sameTopic) return 0;
  const equal = [...views].filter(([at, against]) => one.views[at]?.key === other.views[against]?.key).length;
  return 1 + views.size + equal + topics;
}

function pairViews(one: ComparedConflict, other: ComparedConflict, likeTopic: boolean): Map<number, number> {
  return pairBestFirst(one.views, other.views, (view, rival) => {
    const sameSources = likeTopic && [...view.sources].some((source) => rival.sources.has(source));
    return (view.key === rival.key ? 2 : 0) + (sameSources ? sharedWords(view.sources, rival.sources) : 0);
  });
}

function changesOf(
  before: { side: ReportSide; conflict: ComparedConflict },
  after: { side: ReportSide; conflict: ComparedConflict },
): ConflictChange[] {
  const [one, other] = [before.conflict, after.conflict];
  const views = pairViews(one, other, true);
  const paired = new Set(views.values());
  const favouredStays =
    one.favoured === null ? other.favoured === null : views.get(one.favoured) === other.favoured;
  return [
    ...(one.topicKey === other.topicKey
      ? []
      : [{ kind: 'topic' as const, before: one.conflict.topic, after: other.conflict.topic }]),
    ...one.views.flatMap((view, at): ConflictChange[] => {
      const partner = other.views[views.get(at) ?? -1];
      return view.key === partner?.key
        ? []
        : [{ kind: 'viewpoint', before: view.statement, after: partner?.statement ?? null }];
    }),
    ...other.views.flatMap((view, at): ConflictChange[] =>
      paired.has(at) ? [] : [{ kind: 'viewpoint', before: null, after: view.statement }],
    ),
    ...sourceChanges(
      { side: before.side, keys: allSources(one) },
      { side: after.side, keys: allSources(other) },
    ),
    ...(favouredStays
      ? []
      : [{ kind: 'resolution' as const, before: favouredStatement(one), after: favouredStatement(other) }]),
  ];
}

function allSources({ views }: ComparedConflict): Set<string> {
  return new Set(views.flatMap(({ sources }) => [...sources]));
}

function favouredStatement({ favoured, views }: ComparedConflict): string | null {
  return favoured === null ? null : (views[favoured]?.statement ?? null);
}

function diffConflict(compared: ComparedConflict, side: ReportSide): DiffConflict {
  const { conflict, views } = compared;
  return {
    topic: conflict.topic,
    viewpoints: views.map(({ statement, sources }) => ({ statement, sources: sourcesOf(side, sources) })),
    favoured: favouredStatement(compared),
    reason: conflict.reason,
  };
}

function diffSetAside(before: ReportSide, after: ReportSide): ReportDiff['setAside'] {
  return { newly: setAsideOnlyIn(after, before), noLonger: setAsideOnlyIn(before, after) };
}

function setAsideOnlyIn(side: ReportSide, other: ReportSide): DiffSetAside[] {
  const known = new Set(other.report.setAside.map(keyOf));
  return side.report.setAside
    .filter((claim) => !known.has(keyOf(claim)))
    .map((claim): DiffSetAside => {
      const said = sentenceKey(claim.text);
      const { id, text, verdict, reason, action, sectionId } = claim;
      return {
        id,
        text,
        verdict,
        reason,
        action,
        section: side.sectionTitles.get(sectionId) ?? sectionId,
        stands: other.claims.find(({ statementKey }) => statementKey === said)?.claim.id ?? null,
      };
    });
}

function keyOf({ text, verdict }: ReportSetAside): string {
  return `${verdict} ${sentenceKey(text)}`;
}

export function setAsideLine(claim: DiffSetAside, otherwise: string): string {
  const { text, verdict, section, reason, stands } = claim;
  const line = `${formatQuote(text)}\n  — ${verdict}, in ${titleText(section)}: ${toSafeLine(reason)}`;
  return stands === null ? line : `${line}\n  - ${otherwise}`;
}
