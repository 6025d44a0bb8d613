import type { ToldSentence } from '../../../steps/write-brief-part/contract';
import type { WriteBriefInput, WriteBriefOutput } from '../../../steps/write-brief/contract';
import { writeBriefPartExtractively } from './write-brief-part';

/** A whole brief, part by part, each knowing what was told. */
export function writeBriefExtractively(input: WriteBriefInput): WriteBriefOutput {
  const findings = input.subtopics.flatMap((subtopic) => subtopic.findings);
  const { question, plan, conflicts, sources, places } = input;
  const told: ToldSentence[] = [];
  const parts = plan.parts.map((part) => {
    const draft = writeBriefPartExtractively({
      question,
      plan,
      part,
      instruction: '',
      findings,
      conflicts,
      places,
      sources,
      before: null,
      told,
      revision: null,
    });
    told.push(...draft.claims.map(({ text, findingIds }) => ({ partId: part.id, text, findingIds })));
    return { id: part.id, draft };
  });
  return { title: plan.title, parts };
}
