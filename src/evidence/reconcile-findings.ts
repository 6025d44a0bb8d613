import type {
  Conflict,
  Evidence,
  Finding,
  Gap,
  SectionFindings,
  ValidatedFindings,
} from '../contracts/finding';
import { distinctBy } from '../lib/iterables';
import { withinSentence } from '../lib/strings';
import { formatQuote } from '../lib/untrusted-text';
import { sentenceKey } from '../text/duplicates';
import { claimedStatements, comparedPairs } from './clashes';
import { answerConflicts, findConflicts } from './conflicts';
import {
  conflictKey,
  conflictQuestion,
  corroboratedConfidence,
  favouredView,
  isVerbatim,
  originalOf,
  type SourcesById,
} from './corroboration';
import { type PlacedSection, placeFindings } from './placement';

/** `readInFull` is known only to pass 3. */
type ReconciledFindings = Omit<ValidatedFindings, 'readInFull'>;

export interface FindingCheck {
  findingId: string;
  supporting: Evidence[];
  contradicting?: Evidence[];
  confidence: number;
  /** True if the checker gave no answer for the finding. */
  unanswered?: true | undefined;
}

export interface SectionToReconcile {
  section: PlacedSection;
  found: SectionFindings;
  /** True if the cross-check failed; its findings are then marked. */
  unvalidated: boolean;
  /** Null if the section was not cross-checked: its findings stay unchanged. */
  checks: { checks: FindingCheck[]; conflicts: Conflict[]; gaps: Gap[]; followUps?: string[] } | null;
}

export interface ReconcileInput {
  question: string;
  detectConflicts: boolean;
  /**
   * True if a model read the sources: only findings marked as quoted are moved, and lexical conflicts and gaps are
   * added only if the model was not asked for them.
   */
  byModel?: boolean;
  sections: readonly SectionToReconcile[];
  support: { checks: FindingCheck[]; conflicts: Conflict[] } | null;
  sources: SourcesById;
  silent?: UnrelatedSources;
}

/**
 * Merges the findings of all sections for the report: adds their support, groups those that agree, quotes each
 * sentence once, moves findings into their best section, and finds conflicts and gaps, each once.
 */
export function reconcileFindings(input: ReconcileInput): ReconciledFindings {
  const { question, detectConflicts, sources, silent, sections, support, byModel = false } = input;
  const checksByModel = byModel && sections.some(({ checks }) => checks !== null);
  const followUps = sections.flatMap(({ checks }) => checks?.followUps ?? []);
  const gapsByModel = sections.some(({ checks }) => checks?.followUps !== undefined);
  const checked = withAllSupport(sections, support, sources);
  const { findings: distinct, keptAs } = quoteOnce(groupAgreeing(checked, sources));
  const findings = placeFindings(
    distinct,
    sections.map(({ section }) => section),
    sources,
    ({ quoted }) => byModel && quoted !== true,
  );
  const conflicts = distinctConflicts(
    [
      ...sections.flatMap((section) => section.checks?.conflicts ?? []),
      ...(support?.conflicts ?? []),
      ...(detectConflicts && !checksByModel
        ? [...findConflicts(findings, sources, { question }), ...answerConflicts(question, findings)]
        : []),
    ],
    keptAs,
  );
  const disputed = new Set(conflicts.flatMap((conflict) => conflict.findingIds));
  const intoOf = new Map([...keptAs].filter(([id, kept]) => id !== kept));
  const joined = new Set(intoOf.values());
  const settled = findings.map((finding) => {
    const conflicting = disputed.has(finding.id);
    if (!conflicting && !joined.has(finding.id)) return finding;
    const confidence = corroboratedConfidence(finding, finding.evidence, { sources, conflicting });
    return { ...finding, confidence };
  });
  const bySection = sections.map(({ section }) => ({
    section,
    findings: settled.filter((finding) => finding.sectionId === section.id),
  }));
  const given = checked.flatMap((finding) => {
    const into = intoOf.get(finding.id);
    return into === undefined ? [] : [{ finding, into }];
  });
  return {
    ...(given.length === 0 ? {} : { joined: given }),
    sections: bySection.map(({ section, findings: kept }) => ({ sectionId: section.id, findings: kept })),
    conflicts,
    gaps: distinctBy(
      [
        ...sections.flatMap((section) => section.checks?.gaps ?? []),
        ...(gapsByModel ? [] : findGaps({ sections: bySection, conflicts, silent })),
      ],
      (gap) => sentenceKey(gap.question),
    ),
    ...(gapsByModel ? { followUps } : {}),
  };
}

function withAllSupport(
  sections: readonly SectionToReconcile[],
  support: ReconcileInput['support'],
  sources: SourcesById,
): Finding[] {
  return sections.flatMap((section) =>
    section.found.findings.map((finding) =>
      withSupport(withSectionCheck(finding, section), support?.checks ?? [], sources),
    ),
  );
}

function withSectionCheck(finding: Finding, { checks, unvalidated }: SectionToReconcile): Finding {
  if (unvalidated) return { ...finding, unvalidated };
  const check = checks?.checks.find(({ findingId }) => findingId === finding.id);
  if (check === undefined) return finding;
  if (check.unanswered) return { ...finding, unvalidated: true };
  return { ...withEvidence(finding, check.supporting), confidence: check.confidence };
}

/** Support found later raises the confidence as if all evidence came together. */
function withSupport(finding: Finding, checks: readonly FindingCheck[], sources: SourcesById): Finding {
  const further = checks.find(({ findingId }) => findingId === finding.id)?.supporting ?? [];
  if (further.length === 0) return finding;
  const whole = withEvidence(finding, further);
  const confidence = corroboratedConfidence(whole, whole.evidence, { sources, conflicting: false });
  return { ...whole, confidence };
}

function distinctConflicts(conflicts: readonly Conflict[], keptAs: ReadonlyMap<string, string>): Conflict[] {
  const seen = new Set<string>();
  const distinct: Conflict[] = [];
  for (const conflict of conflicts) {
    const findingIds = [...new Set(conflict.findingIds.map((id) => keptAs.get(id) ?? id))];
    const keys = [
      `quotes ${conflictKey(conflict)}`,
      ...(findingIds.length > 1 ? [`findings ${[...findingIds].sort().join(' ')}`] : []),
    ];
    if (keys.some((key) => seen.has(key))) continue;
    for (const key of keys) seen.add(key);
    distinct.push({ ...conflict, id: `conflict-${distinct.length + 1}`, findingIds });
  }
  return distinct;
}

interface AgreeingGroup {
  finding: Finding;
  findingIds: readonly string[];
}

/**
 * Groups agreeing findings of different sources under the strongest, in order. The same sentence in several documents
 * is grouped too, but counts once as evidence.
 */
export function groupAgreeing(findings: readonly Finding[], sources: SourcesById): AgreeingGroup[] {
  const agreeing = agreements(findings, sources);
  const strongestFirst = findings
    .map((_finding, index) => index)
    .sort((a, b) => strength(findings[b]) - strength(findings[a]) || a - b);
  const leaderOf = new Map<number, number>();
  for (const index of strongestFirst) {
    const leader = strongestFirst.find(
      (other) => leaderOf.get(other) === other && agreeing.has(pairKey(index, other)),
    );
    leaderOf.set(index, leader ?? index);
  }
  return findings.flatMap((finding, index): AgreeingGroup[] => {
    if (leaderOf.get(index) !== index) return [];
    const others = findings.filter((_other, at) => at !== index && leaderOf.get(at) === index);
    const evidence = others.flatMap((other) => other.evidence);
    return [
      {
        finding: withEvidence(finding, evidence),
        findingIds: [finding.id, ...others.map(({ id }) => id)],
      },
    ];
  });
}

function agreements(findings: readonly Finding[], sources: SourcesById): Set<string> {
  const found = new Set<string>();
  const sentences = new Map<string, number>();
  findings.forEach((finding, index) => {
    const sentence = sentenceKey(finding.claim);
    const first = sentences.get(sentence);
    if (first === undefined) sentences.set(sentence, index);
    else found.add(pairKey(first, index));
  });
  const quotes = claimedStatements(findings, sources);
  const indexOf = new Map(findings.map((finding, index) => [finding.id, index]));
  for (const { a, b, comparison } of comparedPairs(quotes).pairs) {
    const [left, right] = [indexOf.get(a.findingId ?? ''), indexOf.get(b.findingId ?? '')];
    if (comparison.relation !== 'agree' || left === undefined || right === undefined) continue;
    if (shareSources(findings[left], findings[right], sources)) continue;
    if (mayBeGrouped(findings[left], findings[right])) found.add(pairKey(left, right));
  }
  return found;
}

/** A reader chose the section of a finding in its own words, so grouping does not move it. */
function mayBeGrouped(a: Finding | undefined, b: Finding | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.sectionId === b.sectionId || (isVerbatim(a) && isVerbatim(b));
}

function shareSources(a: Finding | undefined, b: Finding | undefined, sources: SourcesById): boolean {
  const roots = new Set((a?.citations ?? []).map((id) => originalOf(id, sources)));
  return (b?.citations ?? []).some((id) => roots.has(originalOf(id, sources)));
}

function pairKey(a: number, b: number): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

function strength(finding: Finding | undefined): number {
  return finding === undefined ? 0 : finding.confidence + finding.citations.length / 1_000;
}

function withEvidence(finding: Finding, further: readonly Evidence[]): Finding {
  const quoted = finding.evidence.map(({ sourceId }) => sourceId);
  const evidence = [...finding.evidence, ...distinctBy(further, ({ sourceId }) => sourceId, quoted)];
  return {
    ...finding,
    evidence,
    citations: [...new Set(evidence.map(({ sourceId }) => sourceId))],
  };
}

/**
 * Quotes each sentence once among verbatim findings: the most certain finding keeps it, and one whose own sentence is
 * taken is merged into that finding. The same sentence of several sources stays together. A finding in its own words
 * keeps all quotes, and is merged only into one with the same claim.
 */
function quoteOnce(groups: readonly AgreeingGroup[]): {
  findings: Finding[];
  keptAs: Map<string, string>;
} {
  const owners = new Map<string, string>();
  const keptAs = new Map<string, string>();
  const kept = new Map<string, Finding>();
  const ordered = groups
    .map((group, order) => ({ group, order, isQuote: isVerbatim(group.finding) }))
    // Findings in their own words go first: they show their quotes, and a bare quote would repeat one.
    .sort(
      (a, b) =>
        Number(a.isQuote) - Number(b.isQuote) ||
        b.group.finding.confidence - a.group.finding.confidence ||
        a.order - b.order,
    );
  for (const { group, isQuote } of ordered) {
    const { finding } = group;
    const owner = owners.get(sentenceKey(ownSentence(finding, isQuote))) ?? finding.id;
    for (const id of group.findingIds) keptAs.set(id, owner);
    if (owner !== finding.id) continue;
    if (!isQuote) owners.set(sentenceKey(finding.claim), finding.id);
    const evidence = finding.evidence.filter(({ quote }) => {
      const key = sentenceKey(quote);
      if (!owners.has(key)) owners.set(key, finding.id);
      return !isQuote || owners.get(key) === finding.id;
    });
    const citations = [...new Set(evidence.map((item) => item.sourceId))];
    kept.set(finding.id, { ...finding, evidence, citations });
  }
  return { findings: groups.flatMap(({ finding }) => kept.get(finding.id) ?? []), keptAs };
}

function ownSentence({ claim, evidence }: Finding, isQuote: boolean): string {
  return isQuote ? (evidence[0]?.quote ?? claim) : claim;
}

export interface GapInput {
  sections: readonly { section: { id: string; title: string }; findings: readonly Finding[] }[];
  conflicts: readonly Conflict[];
  silent?: UnrelatedSources | undefined;
}

export interface UnrelatedSources {
  titles: readonly string[];
  of: number;
}

const MAX_GAPS = 8;
const MAX_NAMED_SOURCES = 10;

/**
 * Gaps of a report: conflicts without a favoured side, and with a model sections without findings. Without a model,
 * also the sources with none of the question's words.
 */
export function findGaps({ sections, conflicts, silent }: GapInput): Gap[] {
  const empty = sections.filter(({ findings }) => findings.length === 0);
  const gaps = [
    // Without a model a section is a group of quotes, and its lack of findings says nothing about the sources.
    ...(silent === undefined ? empty.map(emptySection) : []),
    ...conflicts.filter(({ resolution }) => favouredView(resolution) === null).map(openConflict),
  ];
  const named = silent === undefined || silent.titles.length === 0 ? [] : [unrelatedSourcesGap(silent)];
  return [...distinctBy(gaps, ({ question }) => question).slice(0, MAX_GAPS), ...named];
}

function unrelatedSourcesGap({ titles, of }: UnrelatedSources): Gap {
  const more = titles.length - MAX_NAMED_SOURCES;
  const names = titles.slice(0, MAX_NAMED_SOURCES).map(formatQuote).join(', ');
  return {
    question: 'Sources with nothing on the question',
    reason: `None of the question’s words stands in ${titles.length} of the ${of} sources: ${names}${more > 0 ? `, and ${more} more` : ''}.`,
  };
}

function emptySection({ section: { id, title } }: GapInput['sections'][number]): Gap {
  return {
    question: `What do the sources say about ${withinSentence(title)}?`,
    reason: 'The report has a section on this, and no finding was made for it.',
    sectionId: id,
  };
}

function openConflict({ topic, viewpoints }: Conflict): Gap {
  const counts = viewpoints.map(({ citations }) => citations.length);
  return {
    question: conflictQuestion(topic),
    reason: `They contradict each other (${formatCounts(counts)}), and nothing favours one side.`,
  };
}

function formatCounts([count = 0, ...others]: readonly number[]): string {
  return others.length === 0 ? `${count}` : `${count} against ${formatCounts(others)}`;
}
