import type { Encoder } from '../../../encoder/encoder';
import type { SectionDraft } from '../../../contracts/report/draft';
import type { WriteBriefPartInput } from '../../../steps/write-brief-part/contract';
import { nearStatements } from './near-statements';
import { tellConclusions } from './tell-conclusions';
import { tellSubtopic } from './tell-subtopic';
import { tellSummary } from './tell-summary';
import { sourcesBehind, titlesOfSubtopics, toldStatements } from './told-statements';

/** A part of a brief in the words of the summaries, with their citations. */
export async function writeBriefPartExtractively(
  input: WriteBriefPartInput,
  encoder: Encoder | null = null,
): Promise<SectionDraft> {
  const { question, plan, part, findings, conflicts } = input;
  if (part.id !== 'summary' && part.id !== 'conclusions') return tellSubtopic(input);
  const titles = titlesOfSubtopics(plan);
  const statements = toldStatements(plan, findings);
  const overview = {
    question,
    conflicts,
    titles,
    words: part.words,
    statements,
    sources: sourcesBehind(titles.keys(), findings),
    near: await nearStatements(
      encoder,
      question,
      statements.map(({ finding }) => finding),
    ),
  };
  return part.id === 'summary' ? tellSummary(overview) : tellConclusions(overview);
}
