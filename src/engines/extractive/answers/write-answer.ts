import type { AnswerSentence } from '../../../contracts/answer/answer-draft';
import type { AnswerPassage } from '../../../contracts/answer/answer-passage';
import { joinBlocks, bullets } from '../../../core/writing/markdown-blocks';
import type { Question } from '../../../reading/question/question';
import type { ArrangedClaims, PlacedClaim } from './arrange-claims';
import { tellClaim } from './tell-claim';

const OTHER_ANSWERS = 'Other passages answer otherwise, or speak of something else by the same name:';

/** Claims as Markdown, with its sentences in the order in which they stand there. */
export function writeAnswer(
  { opening, otherAnswers, documents }: ArrangedClaims,
  question: Question,
  sourceOf: (passageId: string | undefined) => AnswerPassage | undefined,
): { markdown: string; sentences: AnswerSentence[] } {
  const introduced = new Set<string>();
  const tell = (placed: readonly PlacedClaim[]): AnswerSentence[] =>
    placed.flatMap(({ claim, contrast }, at) => {
      const source = sourceOf(claim.passageIds[0]);
      const before = placed[at - 1]?.claim.evidence[0]?.sourceId;
      if (source === undefined) return [];
      const follows = before === source.sourceId;
      const isIntroduced = introduced.has(source.sourceId);
      introduced.add(source.sourceId);
      return [tellClaim(claim, { question, source, contrast, follows, introduced: isIntroduced })];
    });
  const [first, differing] = [tell(opening), tell(otherAnswers)];
  const lead: AnswerSentence[] =
    differing.length === 0
      ? []
      : [{ text: OTHER_ANSWERS, plain: OTHER_ANSWERS, passageIds: [], isClaim: false }];
  const lists = documents.map(tell);
  return {
    markdown: joinBlocks([
      joined(first),
      joined(lead),
      bullets(differing.map(({ text }) => text)),
      bullets(lists.map(joined)),
    ]).trimEnd(),
    sentences: [...first, ...lead, ...differing, ...lists.flat()],
  };
}

function joined(sentences: readonly AnswerSentence[]): string {
  return sentences.map(({ text }) => text).join(' ');
}
