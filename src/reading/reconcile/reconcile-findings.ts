import type {
  Conflict,
  Finding,
  Gap,
  SectionFindings,
  ValidatedFindings,
  Evidence,
} from '../../contracts/report/finding';
import { distinctBy } from '../../core/values/distinct-by';
import { corroboratedConfidence } from '../../core/evidence/corroborated-confidence';
import type { SourcesById } from '../../core/evidence/distinct-evidence';
import { sentenceKey } from '../../core/duplicates/near-duplicate-sentences';
import { opposingQuotes } from '../../core/evidence/opposing-quotes';
import { placeFindings, type PlacedSection } from '../../core/evidence/placement';
import { answerConflicts } from './answer-conflicts';
import { findConflicts } from './find-conflicts';
import { findGaps, type SilentSources } from './find-gaps';
import { groupAgreeing, withEvidence } from './group-agreeing';
import { quoteOnce } from './quote-once';

/** What comes of it; what pass 3 has read is not known here. */
type Reconciled = Omit<ValidatedFindings, 'readInFull'>;

export interface ToldOfFinding {
  findingId: string;
  supporting: Evidence[];
  contradicting?: Evidence[];
  confidence: number;
  /** True where it was to be checked and nothing was said of it. */
  unanswered?: true | undefined;
}

export interface SectionToReconcile {
  section: PlacedSection;
  found: SectionFindings;
  /** True where the section was to be cross-checked and could not: its findings are marked. */
  unvalidated: boolean;
  /** Null where the section was not cross-checked: its findings stay as pass 2 left them. */
  checks: { checks: ToldOfFinding[]; conflicts: Conflict[]; gaps: Gap[]; followUps?: string[] } | null;
}

export interface ReconcileInput {
  question: string;
  detectConflicts: boolean;
  /**
   * True where a model read the sources: its sections stand, and so do its conflicts and gaps, so that words move only what was
   * quoted beside, and look for conflicts and gaps only where it was not asked for them.
   */
  byModel?: boolean;
  /** In outline order. */
  sections: readonly SectionToReconcile[];
  /** What was found when support for the major findings was sought; null where it was not. */
  support: { checks: ToldOfFinding[]; conflicts: Conflict[] } | null;
  sources: SourcesById;
  /** The sources that hold none of the question's words; absent where that is not told. */
  silent?: SilentSources;
}

/**
 * One list of findings for the report, from all sections: what supports a finding is merged under it, findings that
 * assert the same stand under the strongest of them, what quotes alone quotes no sentence twice and stands in the section that
 * it says most about, all are held against each other, and each conflict and each gap is there once.
 */
export function reconcileFindings(input: ReconcileInput): Reconciled {
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
      withSupport(supported(finding, section), support?.checks ?? [], sources),
    ),
  );
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
