import type { SectionDraft } from '../../../contracts/report/draft';
import type { WriteBriefPartInput } from '../../../steps/write-brief-part/contract';
import { tellConclusions } from './tell-conclusions';
import { tellSubtopic } from './tell-subtopic';
import { tellSummary } from './tell-summary';
import { sourcesBehind, titlesOfSubtopics, toldStatements } from './told-statements';

/** A part of a brief in the words of the summaries, with their citations. */
export function writeBriefPartExtractively(input: WriteBriefPartInput): SectionDraft {
  const { question, plan, part, findings, conflicts } = input;
  if (part.id !== 'summary' && part.id !== 'conclusions') return tellSubtopic(input);
  const titles = titlesOfSubtopics(plan);
  const overview = {
    question,
    conflicts,
    titles,
    words: part.words,
    statements: toldStatements(plan, findings),
    sources: sourcesBehind(titles.keys(), findings),
  };
  const pointed = plan.parts.find(({ id }) => id === 'summary')?.findingIds ?? [];
  return part.id === 'summary' ? tellSummary(overview) : tellConclusions(overview, pointed);
}
