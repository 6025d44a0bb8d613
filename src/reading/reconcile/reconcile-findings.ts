import type {
  Conflict,
  Finding,
  Gap,
  SectionFindings,
  ValidatedFindings,
} from '../../contracts/report/finding';
import { distinctBy } from '../../core/values/distinct-by';
import { corroboratedConfidence } from '../../core/evidence/corroborated-confidence';
import type { SourcesById } from '../../core/evidence/distinct-evidence';
import { sentenceKey } from '../../core/duplicates/near-duplicate-sentences';
import { opposingQuotes } from '../../core/evidence/opposing-quotes';
import { placeFindings, type PlacedSection } from '../../core/evidence/placement';
import { answerConflicts } from './answer-conflicts';
import type { Confirmed } from './bearing';
import { confirmedChecks, confirmedConflict, confirmedFinding } from './confirmed-only';
import { findConflicts } from './find-conflicts';
import { findGaps, type SilentSources } from './find-gaps';
import { groupAgreeing, withEvidence } from './group-agreeing';
import type { ToldOfFinding } from './bearing';
import type { NamingInput } from './named-agreement';
import { quoteOnce } from './quote-once';

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
