import type { WriteBriefInput, WriteBriefOutput } from '../../../steps/write-brief/contract';
import { writeBriefPartExtractively } from './write-brief-part';

/** A whole brief, part by part. */
export function writeBriefExtractively(input: WriteBriefInput): WriteBriefOutput {
  const findings = input.subtopics.flatMap((subtopic) => subtopic.findings);
  const { question, plan, conflicts, sources } = input;
  const parts = plan.parts.map((part) => ({
    id: part.id,
    draft: writeBriefPartExtractively({
      ...{ question, plan, part, instruction: '', findings, conflicts, sources },
      ...{ before: null, told: [], revision: null },
    }),
  }));
  return { title: plan.title, parts };
}
