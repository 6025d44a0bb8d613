import { countWords } from '../../../core/writing/shorten';
import type { PlanBriefInput, PlanBriefOutput } from '../../../steps/plan-brief/contract';

/** Every part tells of all that its subtopic says, in as many words as that has. */
export function planBriefExtractively(input: PlanBriefInput): PlanBriefOutput {
  const findingsOf = new Map(input.subtopics.map(({ id, findings }) => [id, findings]));
  return {
    title: input.question,
    parts: input.parts.map(({ id, title }) => {
      const findings = findingsOf.get(id) ?? [];
      const words = findings.reduce((sum, { claim }) => sum + countWords(claim), 0);
      return {
        id,
        title,
        words: Math.max(1, words),
        guidance: '',
        findingIds: findings.map((finding) => finding.id),
      };
    }),
  };
}
