import type { Encoder } from '../../../encoder/encoder';
import type { ToldSentence } from '../../../steps/write-brief-part/contract';
import type { WriteBriefInput, WriteBriefOutput } from '../../../steps/write-brief/contract';
import { writeBriefPartExtractively } from './write-brief-part';

/** A whole brief, part by part, each knowing what was told. */
export async function writeBriefExtractively(
  input: WriteBriefInput,
  encoder: Encoder | null = null,
): Promise<WriteBriefOutput> {
  const findings = input.subtopics.flatMap((subtopic) => subtopic.findings);
  const { question, plan, conflicts, sources, places } = input;
  const told: ToldSentence[] = [];
  const parts: WriteBriefOutput['parts'] = [];
  for (const part of plan.parts) {
    const given = {
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
    };
    const draft = await writeBriefPartExtractively(given, encoder);
    told.push(...draft.claims.map(({ text, findingIds }) => ({ partId: part.id, text, findingIds })));
    parts.push({ id: part.id, draft });
  }
  return { title: plan.title, parts };
}
