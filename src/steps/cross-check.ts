import { z } from 'zod';
import { Confidence, Conflict, Evidence, Finding, Gap } from '../contracts/finding';
import { SourceWindow } from '../contracts/source';
import { corroboratedConfidence, needsChecking, type SourcesById } from '../evidence/corroboration';
import { evidenceProblems } from './extract-findings';
import {
  describeSource,
  findingShortIds,
  materialBlock,
  promptLine,
  READER_SYSTEM,
  SectionScope,
  sectionText,
  type ShortIds,
  sourceShortIds,
  sourcesPrefix,
} from './material';
import type { Step, StepProblem, StepTemplate } from './step';

export const CrossCheckInput = z.object({
  question: z.string(),
  section: SectionScope,
  findings: z.array(Finding),
  /** Further sources, and the sources of the findings. */
  sources: z.array(SourceWindow),
  /** True to check all findings against each other, and to ask for gaps and follow-ups. */
  areAll: z.boolean().optional(),
  /** True to check numbers of confident findings too. */
  factChecking: z.boolean(),
  /** True to check confident findings too. */
  checkAll: z.boolean().optional(),
  /** False to skip conflicts and contradictions. */
  detectConflicts: z.boolean(),
});
export type CrossCheckInput = z.infer<typeof CrossCheckInput>;

export const FindingCheck = z.object({
  findingId: z.string(),
  supporting: z.array(Evidence),
  contradicting: z.array(Evidence),
  confidence: Confidence,
  unanswered: z.literal(true).optional(),
});
export type FindingCheck = z.infer<typeof FindingCheck>;

export const CrossCheckOutput = z.object({
  checks: z.array(FindingCheck),
  conflicts: z.array(Conflict),
  gaps: z.array(Gap),
  followUps: z.array(z.string().min(1)).optional(),
});
export type CrossCheckOutput = z.infer<typeof CrossCheckOutput>;

const crossCheckTemplate: StepTemplate = {
  system: READER_SYSTEM,
  user: `{{sources}}The findings, each with the sources that it rests on:
{{quoted}}{{findings}}

You validate the findings of a research report: you hold each against {{against}}, and bring every disagreement to light.

The report is to answer: {{question}}

{{section}}

{{tasks}}

Answer with one JSON object:
{{form}}`,
};

const AS_QUOTED = '(in the words of its source)';

const TRUE_CONFLICTS =
  'Facts, numbers and conditions that cannot all hold are a conflict; different opinions, other questions, other people or things, or results under other conditions that can both hold are not.';

const RESOLUTION =
  '"kind" is "number", "direction" or "condition". "resolution" is "present_both", or "favor_viewpoint_1" and so on where the evidence for one side is clearly stronger; "reason" says in one sentence why they may differ, or why one is favoured.';

const NO_CONFLICTS = 'Conflicts are not asked for: leave "conflicts" empty.';

function tasksOnSources(detectConflicts: boolean): string {
  return `1. For each finding, except those marked “not to be checked”, look for sources, other than those it rests on, that assert the same ("supporting") or contradict it ("contradicting"): another number for the same thing under the same conditions, the opposite direction, or the same result under a condition that excludes the other ("in every case", "only where there is …"; "in the first year but not in the second", "in the second but not in the first"). Check every number. Quote each source's own sentence, copied character by character. A finding for which you find neither has empty lists.
2. ${
    detectConflicts
      ? `List as conflicts where sources truly disagree, between two findings or between a finding and a source. ${TRUE_CONFLICTS} Each viewpoint has the quotes of the sources that hold it, and no source is on two sides. ${RESOLUTION}`
      : `${NO_CONFLICTS} Leave every "contradicting" empty.`
  }`;
}

const SOURCES_FORM =
  '{"checks": [{"finding": "F…", "supporting": [{"source": "S…", "quote": "…"}], "contradicting": []}], "conflicts": [{"topic": "…", "kind": "number", "findings": ["F…"], "viewpoints": [{"evidence": [{"source": "S…", "quote": "…"}]}, {"evidence": [{"source": "S…", "quote": "…"}]}], "resolution": "present_both", "reason": "…"}]}';

function tasksOnFindings(detectConflicts: boolean): string {
  return `1. "agreements": findings of different sources that say the same, that is, the same result for the same thing under the same conditions. Findings on one subject that say different things about it are none.
2. "conflicts": ${
    detectConflicts
      ? `where findings of different sources truly disagree. ${TRUE_CONFLICTS} "topic" names in a phrase what they disagree on. Each viewpoint names the findings that hold it, and no source is on two sides; where a finding quotes both, it stands on both, and "sources" names those of each side. ${RESOLUTION} Speak in it of studies by their names, and of no finding or source by its number.`
      : NO_CONFLICTS
  }
3. "gaps": at most 6 things that an answer to the question needs and that no source gives, the most important first: a measurement, a cost, a group, a period, a comparison. Ask of each: is this answered by a source? Name none that a finding answers, even in part, without saying which part is open. "question" is specific to the question and can be understood alone; "reason" says what was found instead.
4. "followUps": 3 to 5 questions that somebody who has read the answer would look into next, each specific enough to search for.`;
}

const FINDINGS_FORM =
  '{"agreements": [{"findings": ["F…", "F…"]}], "conflicts": [{"topic": "…", "kind": "number", "viewpoints": [{"findings": ["F…"], "sources": ["S…"]}, {"findings": ["F…"], "sources": ["S…"]}], "resolution": "present_both", "reason": "…"}], "gaps": [{"question": "…", "reason": "…"}], "followUps": ["…"]}';

export const crossCheck: Step<CrossCheckInput, CrossCheckOutput, 'cross-check'> = {
  name: 'cross-check',
  version: '5',
  role: 'strong',
  input: CrossCheckInput,
  output: CrossCheckOutput,
  template: crossCheckTemplate,
  variables: crossCheckVariables,
  check(input, output): StepProblem[] {
    const known = new Set(input.findings.map((finding) => finding.id));
    return [
      ...output.checks.flatMap((check): StepProblem[] => {
        const path = `checks.${check.findingId}`;
        return known.has(check.findingId)
          ? evidenceProblems(path, [...check.supporting, ...check.contradicting], input.sources)
          : [{ path, message: 'it is not one of the findings' }];
      }),
      ...output.conflicts.flatMap((conflict): StepProblem[] =>
        conflict.viewpoints.flatMap((viewpoint, index) =>
          evidenceProblems(`conflicts.${conflict.id}.viewpoints.${index}`, viewpoint.evidence, input.sources),
        ),
      ),
    ];
  },
};

function crossCheckVariables(input: CrossCheckInput, mark: string): Record<string, string> {
  const { areAll = false, detectConflicts } = input;
  const sources = sourceShortIds(input.sources);
  const findings = findingShortIds(input.findings);
  const known = new Set(input.sources.map((source) => source.sourceId));
  const quotedOnly = areAll ? known : quotedOnlySources(input);
  const shown = input.sources.filter(({ sourceId }) => !quotedOnly.has(sourceId));
  return {
    mark,
    question: promptLine(input.question),
    section: sectionText(input.section),
    against: areAll ? 'the others' : 'these sources and against the other findings',
    tasks: areAll ? tasksOnFindings(detectConflicts) : tasksOnSources(detectConflicts),
    form: areAll ? FINDINGS_FORM : SOURCES_FORM,
    findings: materialBlock(
      mark,
      'findings',
      input.findings
        .map((finding) => {
          const quotes = finding.evidence
            .filter((evidence) => known.has(evidence.sourceId))
            .map((evidence) => `  ${sources.shortOf(evidence.sourceId)}: “${promptLine(evidence.quote)}”`);
          const asked = areAll || needsChecking(finding, input) ? '' : ' (not to be checked)';
          const said = promptLine(finding.claim);
          // A claim in the words of its quote is printed once.
          const claim = said === promptLine(finding.evidence[0]?.quote ?? '') ? AS_QUOTED : said;
          return [`${findings.shortOf(finding.id)}${asked}: ${claim}`, ...quotes].join('\n');
        })
        .join('\n'),
    ),
    sources: shown.length === 0 ? '' : `${sourcesPrefix(mark, shown, sources)}\n\n`,
    quoted: quotedBlock(
      mark,
      input.sources.filter(({ sourceId }) => quotedOnly.has(sourceId)),
      sources,
    ),
  };
}

/** Sources of which only the findings' own quotes are given. */
function quotedOnlySources({ sources, findings }: CrossCheckInput): Set<string> {
  const quotes = new Set(
    findings.flatMap(({ evidence }) =>
      evidence.map(({ sourceId, start, end }) => `${sourceId}@${start}-${end}`),
    ),
  );
  const isQuoted = ({ sourceId, passages }: CrossCheckInput['sources'][number]): boolean =>
    passages.length > 0 && passages.every(({ start, end }) => quotes.has(`${sourceId}@${start}-${end}`));
  return new Set(sources.filter(isQuoted).map(({ sourceId }) => sourceId));
}

function quotedBlock(mark: string, sources: CrossCheckInput['sources'], ids: ShortIds): string {
  if (sources.length === 0) return '';
  const lines = sources.map((source) => `${ids.shortOf(source.sourceId)}: ${describeSource(source)}`);
  return `${materialBlock(mark, 'sources of findings alone', lines.join('\n'))}\n`;
}

export function mergeCrossChecks(
  { section, findings }: { section: { id: string }; findings: readonly Finding[] },
  parts: readonly Pick<CrossCheckOutput, 'checks' | 'conflicts'>[],
  sources: SourcesById,
): Pick<CrossCheckOutput, 'checks' | 'conflicts'> {
  const conflicts = distinctConflicts(section.id, parts);
  const disputed = new Set(conflicts.flatMap((conflict) => conflict.findingIds));
  const checks = findings.map((finding): FindingCheck => {
    const own = parts.flatMap((part) => part.checks.filter(({ findingId }) => findingId === finding.id));
    const supporting = distinctEvidence(own.flatMap((check) => check.supporting));
    const contradicting = distinctEvidence(own.flatMap((check) => check.contradicting));
    const conflicting = contradicting.length > 0 || disputed.has(finding.id);
    const untouched = own.every((check) => check.confidence === finding.confidence);
    const confidence =
      untouched && !conflicting && supporting.length === 0
        ? finding.confidence
        : corroboratedConfidence(finding, [...finding.evidence, ...supporting], { sources, conflicting });
    const check = { findingId: finding.id, supporting, contradicting, confidence };
    return own.every(({ unanswered }) => unanswered) && !conflicting ? { ...check, unanswered: true } : check;
  });
  return { checks, conflicts };
}

function distinctConflicts(
  sectionId: string,
  parts: readonly Pick<CrossCheckOutput, 'conflicts'>[],
): Conflict[] {
  const byQuotes = new Map<string, Conflict>();
  for (const conflict of parts.flatMap((part) => part.conflicts)) {
    const key = conflict.viewpoints
      .flatMap(({ evidence }) => evidence.map(({ sourceId, start }) => `${sourceId}@${start}`))
      .sort()
      .join(' ');
    if (!byQuotes.has(key)) byQuotes.set(key, conflict);
  }
  return [...byQuotes.values()].map((conflict, index) => ({
    ...conflict,
    id: `conflict-${sectionId}-${index + 1}`,
  }));
}

function distinctEvidence(evidence: readonly Evidence[]): Evidence[] {
  return [...new Map(evidence.map((item) => [`${item.sourceId}@${item.start}`, item])).values()];
}
