import type {
  Conflict,
  Finding,
  Gap,
  SectionFindings,
  ValidatedFindings,
  Evidence,
  Viewpoint,
} from '../../contracts/report/finding';
import { distinctBy } from '../../core/values/distinct-by';
import { corroboratedConfidence } from '../../core/evidence/corroborated-confidence';
import type { SourcesById } from '../../core/evidence/distinct-evidence';
import { sentenceKey } from '../../core/duplicates/near-duplicate-sentences';
import { opposingQuotes } from '../../core/evidence/opposing-quotes';
import { placeFindings, type PlacedSection } from '../../core/evidence/placement';
import { answerConflicts } from './answer-conflicts';
import type { Confirmed, Bearing } from './bearing';
import { findConflicts } from './find-conflicts';
import { findGaps, type SilentSources } from './find-gaps';
import { groupAgreeing, withEvidence } from './group-agreeing';
import type { ToldOfFinding } from './bearing';
import type { NamingInput } from './named-agreement';
import { quoteOnce } from './quote-once';
import { allowedConfidence } from '../../core/evidence/allowed-confidence';
import { besideKey, furtherEvidence, opposedQuotes } from './bearing';

/** What comes of it; what pass 3 has read is not known here. */
type Reconciled = Omit<ValidatedFindings, 'readInFull'>;

export interface SectionToReconcile {
  section: PlacedSection;
  found: SectionFindings;
  /** True where the section was to be cross-checked and could not: its findings are marked. */
  unvalidated: boolean;
  /** Null where the section was not cross-checked: its findings stay as pass 2 left them. */
  checks: { checks: ToldOfFinding[]; conflicts: Conflict[]; gaps: Gap[] } | null;
}

export interface ReconcileInput {
  question: string;
  detectConflicts: boolean;
  /** True where a model chose each finding's section: words move only what was quoted beside. */
  sectionsStand?: boolean;
  /** In outline order. */
  sections: readonly SectionToReconcile[];
  /** What was found when support for the major findings was sought; null where it was not. */
  support: { checks: ToldOfFinding[]; conflicts: Conflict[] } | null;
  sources: SourcesById;
  /** The sources that hold none of the question's words; absent where that is not told. */
  silent?: SilentSources;
  /** What was found out of all that is named as agreeing or contradicting; absent: what is named is believed. */
  confirmed?: Confirmed;
}

/**
 * One list of findings for the report, from all sections: what supports a finding is merged under it, findings that
 * assert the same stand under the strongest of them, what quotes alone quotes no sentence twice and stands in the section that
 * it says most about, all are held against each other, and each conflict and each gap is there once.
 */
export function reconcileFindings(input: ReconcileInput): Reconciled {
  const { question, detectConflicts, sources, confirmed, silent } = input;
  const { sectionsStand = false } = input;
  const { sections, support } = confirmed === undefined ? input : confirmedOnly(input, confirmed);
  const checked = withAllSupport(sections, support, sources);
  const { findings: distinct, keptAs } = quoteOnce(groupAgreeing(checked, sources));
  const findings = placeFindings(
    distinct,
    sections.map(({ section }) => section),
    sources,
    ({ quoted }) => sectionsStand && quoted !== true,
  );
  const conflicts = distinctConflicts(
    [
      ...sections.flatMap((section) => section.checks?.conflicts ?? []),
      ...(support?.conflicts ?? []),
      ...(detectConflicts
        ? [
            ...findConflicts(findings, sources, { question, confirmed }),
            ...confirmedAnswers(answerConflicts(question, findings), allFindings(input.sections), confirmed),
          ]
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
        ...findGaps({ sections: bySection, conflicts, silent }),
      ],
      (gap) => sentenceKey(gap.question),
    ),
  };
}

export function namedToReconcile(input: ReconcileInput): NamingInput {
  const { question, detectConflicts, sections, support, sources } = input;
  const told = [...sections.map(({ checks }) => checks), support].filter((checks) => checks !== null);
  return {
    question,
    detectConflicts,
    findings: allFindings(sections),
    checks: told.flatMap(({ checks }) => checks),
    conflicts: told.flatMap(({ conflicts }) => conflicts),
    together: withAllSupport(sections, support, sources),
    sources,
  };
}

export function allFindings(sections: readonly Pick<SectionToReconcile, 'found'>[]): Finding[] {
  return sections.flatMap(({ found }) => found.findings);
}

function confirmedOnly(
  { sections, support, sources }: ReconcileInput,
  confirmed: Confirmed,
): Pick<ReconcileInput, 'sections' | 'support'> {
  const left = confirmedSections(sections, confirmed, sources);
  const findings = { before: allFindings(sections), now: allFindings(left) };
  return { sections: left, support: support && confirmedChecks(support, findings, confirmed, sources) };
}

function confirmedSections(
  sections: readonly SectionToReconcile[],
  confirmed: Confirmed,
  sources: SourcesById,
): SectionToReconcile[] {
  const before = allFindings(sections);
  const left = sections.map((section) => ({
    ...section,
    found: {
      ...section.found,
      findings: section.found.findings.map((finding) => confirmedFinding(finding, confirmed, sources)),
    },
  }));
  const findings = { before, now: allFindings(left) };
  return left.map((section) => ({
    ...section,
    checks: section.checks && confirmedChecks(section.checks, findings, confirmed, sources),
  }));
}

function withAllSupport(
  sections: readonly SectionToReconcile[],
  support: ReconcileInput['support'],
  sources: SourcesById,
): Finding[] {
  return sections.flatMap((section) =>
    section.found.findings.map((finding) =>
      withSupport(supported(finding, section), support?.checks ?? [], sources),
    ),
  );
}

/** Different answers that words find to a question, where a critic was asked those that it finds different too. */
function confirmedAnswers(
  conflicts: readonly Conflict[],
  findings: readonly Finding[],
  confirmed: Confirmed | undefined,
): Conflict[] {
  if (!confirmed?.byCritic) return [...conflicts];
  return conflicts.flatMap((conflict) => confirmedConflict(conflict, findings, confirmed.bearings));
}

function supported(finding: Finding, { checks, unvalidated }: SectionToReconcile): Finding {
  if (unvalidated) return { ...finding, unvalidated };
  const check = checks?.checks.find(({ findingId }) => findingId === finding.id);
  if (check === undefined) return finding;
  if (check.unanswered) return { ...finding, unvalidated: true };
  return { ...withEvidence(finding, check.supporting), confidence: check.confidence };
}

/** Support that was sought later raises a finding as far as all of its evidence does together. */
function withSupport(finding: Finding, checks: readonly ToldOfFinding[], sources: SourcesById): Finding {
  const further = checks.find(({ findingId }) => findingId === finding.id)?.supporting ?? [];
  if (further.length === 0) return finding;
  const whole = withEvidence(finding, further);
  const confidence = corroboratedConfidence(whole, whole.evidence, { sources, conflicting: false });
  return { ...whole, confidence };
}

/** Conflicts about the same findings, or with the same quotes against each other, are one; numbered in their order. */
function distinctConflicts(conflicts: readonly Conflict[], keptAs: ReadonlyMap<string, string>): Conflict[] {
  const seen = new Set<string>();
  const distinct: Conflict[] = [];
  for (const conflict of conflicts) {
    const findingIds = [...new Set(conflict.findingIds.map((id) => keptAs.get(id) ?? id))];
    const keys = [
      `quotes ${opposingQuotes(conflict)}`,
      ...(findingIds.length > 1 ? [`findings ${[...findingIds].sort().join(' ')}`] : []),
    ];
    if (keys.some((key) => seen.has(key))) continue;
    for (const key of keys) seen.add(key);
    distinct.push({ ...conflict, id: `conflict-${distinct.length + 1}`, findingIds });
  }
  return distinct;
}

type Bearings = Confirmed['bearings'];

/**
 * A finding with the sources of which the quote says the claim, and those that say a part of it, which make it no surer. Quotes of
 * the source that the claim words stay.
 */
function confirmedFinding(finding: Finding, { bearings }: Confirmed, sources: SourcesById): Finding {
  const further = furtherEvidence(finding);
  if (further.length === 0) return finding;
  const saying = (bearing: Bearing): Evidence[] =>
    further.filter((evidence) => bearings.get(besideKey({ ...finding, evidence })) === bearing);
  const [whole, part] = [saying('says'), saying('says-a-part')];
  if (whole.length === further.length) return finding;
  const own = finding.evidence.filter((evidence) => !further.includes(evidence));
  const evidence = finding.evidence.filter((one) => [...own, ...whole, ...part].includes(one));
  const inPart = [...new Set(part.map(({ sourceId }) => sourceId))];
  return {
    ...finding,
    evidence,
    citations: [...new Set(evidence.map(({ sourceId }) => sourceId))],
    ...(inPart.length === 0 ? {} : { inPart }),
    confidence: allowedConfidence(finding.confidence, [...own, ...whole], sources),
  };
}

interface Told<Check extends ToldOfFinding> {
  checks: Check[];
  conflicts: Conflict[];
}

/** What is left of checks where only what is confirmed counts, each with the confidence that this gives its finding. */
function confirmedChecks<Check extends ToldOfFinding, Checks extends Told<Check>>(
  told: Checks & Told<Check>,
  { before, now }: { before: readonly Finding[]; now: readonly Finding[] },
  confirmed: Confirmed,
  sources: SourcesById,
): Checks {
  const { bearings } = confirmed;
  const conflicts = told.conflicts.flatMap((conflict) => confirmedConflict(conflict, before, bearings));
  const idsIn = (all: readonly Conflict[]): Set<string> =>
    new Set(all.flatMap(({ findingIds }) => findingIds));
  const [disputed, stillDisputed] = [idsIn(told.conflicts), idsIn(conflicts)];
  const checks = told.checks.map((check): Check => {
    const was = before.find(({ id }) => id === check.findingId);
    const finding = now.find(({ id }) => id === check.findingId);
    if (was === undefined || finding === undefined) return check;
    const bears = (evidence: Evidence): Bearing | undefined => bearings.get(besideKey({ ...was, evidence }));
    const supporting = check.supporting.filter((evidence) => bears(evidence) === 'says');
    const against = check.contradicting ?? [];
    const contradicting = disputed.has(was.id)
      ? against.filter(() => stillDisputed.has(was.id))
      : against.filter((evidence) => bears(evidence) === 'says-otherwise');
    const conflicting = contradicting.length > 0 || stillDisputed.has(was.id);
    const wasUntouched =
      check.confidence === was.confidence &&
      check.supporting.length === 0 &&
      !disputed.has(was.id) &&
      against.length === 0;
    const confidence = wasUntouched
      ? finding.confidence
      : corroboratedConfidence(finding, [...finding.evidence, ...supporting], { sources, conflicting });
    const isUntold = supporting.length === 0 && !conflicting && check.unanswered;
    return {
      ...check,
      supporting,
      ...(check.contradicting === undefined ? {} : { contradicting }),
      confidence,
      ...(isUntold ? { unanswered: true } : {}),
    };
  });
  return { ...told, checks, conflicts };
}

/** A conflict with the quotes that were found to stand against each other; none where that leaves one side. */
function confirmedConflict(conflict: Conflict, findings: readonly Finding[], bearings: Bearings): Conflict[] {
  const opposed = opposedQuotes(conflict, findings);
  const viewpoints = conflict.viewpoints.flatMap((viewpoint, at): Viewpoint[] => {
    const standing = (opposed[at] ?? [])
      .filter((one) => bearings.get(besideKey(one)) === 'says-otherwise')
      .map(({ evidence }) => evidence);
    const evidence = [...(at === 0 ? viewpoint.evidence.slice(0, 1) : []), ...standing];
    const [first] = evidence;
    if (first === undefined) return [];
    if (evidence.length === viewpoint.evidence.length) return [viewpoint];
    const isFirst = first === viewpoint.evidence[0];
    return [
      {
        statement: isFirst ? viewpoint.statement : first.quote.replace(/\s+/g, ' '),
        citations: [...new Set(evidence.map(({ sourceId }) => sourceId))],
        evidence,
      },
    ];
  });
  if (viewpoints.length < 2) return [];
  // Whom the evidence favours was said of other sides.
  const isWhole = viewpoints.every((viewpoint, at) => viewpoint === conflict.viewpoints[at]);
  return [{ ...conflict, viewpoints, resolution: isWhole ? conflict.resolution : 'present_both' }];
}
