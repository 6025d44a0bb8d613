import type { JudgeInput, JudgeOutput } from '../../src/steps/judge/contract';
import { JUDGE_DIMENSIONS, ofEach } from '../../src/contracts/judge/dimensions';
import type { DimensionScore } from '../../src/contracts/judge/judgement';
import type { SectionDraft, WrittenSentence } from '../../src/contracts/report/draft';
import type { Finding } from '../../src/contracts/report/finding';
import { citationMark } from '../../src/core/text/citation-marks';
import type { PlanBriefInput, PlanBriefOutput } from '../../src/steps/plan-brief/contract';
import type { WriteBriefPartInput } from '../../src/steps/write-brief-part/contract';
import type { WriteBriefInput, WriteBriefOutput } from '../../src/steps/write-brief/contract';
import type { StepScript } from './scripted-engine';

/** How a scripted model words a statement; null leaves it out. */
export type Says = (finding: Finding, input: WriteBriefPartInput) => string | null;

/** A model that tells each statement in the words that `says` gives it, and a judge that gives each text what `scores` says. */
export function briefScript(
  given: {
    says?: Says;
    forgets?: readonly string[];
    /** Of a text in one call; that of the plan without it. */
    title?: string;
    judge?: (input: JudgeInput) => { score: number; parts: string[] };
  } = {},
): Record<string, StepScript> {
  const {
    says = (finding: Finding) => finding.claim,
    forgets = [],
    judge = () => ({ score: 5, parts: [] }),
  } = given;
  return {
    'plan-brief': planned,
    'write-brief': (input: WriteBriefInput): WriteBriefOutput => ({
      title: given.title ?? input.plan.title,
      parts: input.plan.parts
        .filter(({ id }) => !forgets.includes(id))
        .map((part) => {
          const findings = input.subtopics.flatMap((subtopic) => subtopic.findings);
          const { question, plan, conflicts, sources } = input;
          const nothing = { instruction: '', before: null, told: [], revision: null };
          return {
            id: part.id,
            draft: written({ question, plan, part, findings, conflicts, sources, ...nothing }, says),
          };
        }),
    }),
    'write-brief-part': (input: WriteBriefPartInput): SectionDraft => written(input, says),
    judge: (input: JudgeInput): JudgeOutput => {
      const { score, parts } = judge(input);
      const dimension: DimensionScore = {
        score,
        reason: 'A script judges it.',
        places: parts.map((partId) => ({ partId, quote: null })),
      };
      return { by: 'model', ...ofEach(JUDGE_DIMENSIONS, () => dimension) };
    },
    audit: () => ({ verdicts: [], logicalGaps: [] }),
  };
}

function planned({ question, parts, subtopics }: PlanBriefInput): PlanBriefOutput {
  const all = subtopics.flatMap(({ findings }) => findings);
  return {
    title: question,
    parts: parts.map(({ id, title }) => {
      const findings = subtopics.find((subtopic) => subtopic.id === id)?.findings ?? all.slice(0, 2);
      return { id, title, words: 60, guidance: '', findingIds: findings.map((finding) => finding.id) };
    }),
  };
}

function written(input: WriteBriefPartInput, says: Says): SectionDraft {
  const told = input.part.findingIds.flatMap(
    (id) => input.findings.find((finding) => finding.id === id) ?? [],
  );
  const sentences = told.flatMap((finding): WrittenSentence[] => {
    const plain = says(finding, input);
    if (plain === null) return [];
    const text = `${plain.replace(/\.$/, '')} ${citationMark(finding.citations)}.`;
    return [{ text, plain, findingIds: [finding.id], isClaim: true, standing: 'undecided' }];
  });
  return {
    markdown: sentences.map(({ text }) => text).join('\n\n'),
    claims: sentences.map(({ text, findingIds }) => ({ text, findingIds })),
    checked: { sentences },
  };
}

export const BY_SCRIPTED_MODEL = {
  engine: 'openai',
  models: {
    fast: { name: 'scripted', contextTokens: 16_000, price: null },
    strong: { name: 'scripted', contextTokens: 16_000, price: null },
    critic: { name: 'scripted', contextTokens: 16_000, price: null },
  },
} as const;
