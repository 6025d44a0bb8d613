import { estimateTokens } from '../../../core/budget/call-estimates';
import type { AnswerSentence } from '../../../contracts/answer/answer-draft';
import { groupedBy } from '../../../core/values/grouped-by';
import { CHOICE, nearBestAmong } from '../../../reading/choose-sentences';
import { ANSWERED_FROM } from '../../../reading/collection/answerable';
import { readIndexed } from '../../../reading/features/read-features';
import { readQuestion } from '../../../reading/question/question';
import { rankSentences } from '../../../reading/rank-sentences';
import type { AnswerInput, AnswerOutput } from '../../../steps/answer/contract';
import { type AnswerClaim, chooseClaims } from './answer-claims';
import { readPassages } from './answer-material';
import { tellClaim } from './tell-claim';

/** A reader wants no more sentences than this, however short they are. */
const MOST_CLAIMS = 12;

/** Answers with the sentences of the passages that answer best, word for word. */
export function answerExtractively(input: AnswerInput): AnswerOutput {
  const { question, passages, counts } = input;
  const asked = readQuestion(question);
  const material = readPassages(passages);
  const ranked = rankSentences(readIndexed(asked, material.collection, counts));
  const claims =
    input.answerable < ANSWERED_FROM
      ? []
      : chooseClaims(ranked, material, {
          ...CHOICE,
          most: MOST_CLAIMS,
          inTurns: input.synthesisMode,
          nearBest: nearBestAmong(counts.sentences, asked),
        });
  const sourceOf = new Map(passages.map((passage) => [passage.id, passage]));
  const told = withinTokens(claims, input.maxTokens, (claim, introduced): AnswerSentence[] => {
    const source = sourceOf.get(claim.passageIds[0] ?? '');
    return source === undefined
      ? []
      : [tellClaim(claim, { question: asked, source, introduced, contrast: false })];
  });
  const [first, ...others] = told;
  return {
    markdown: [
      ...(first === undefined ? [] : [first.text]),
      ...(others.length === 0 ? [] : [others.map(({ text }) => `- ${text}`).join('\n')]),
    ].join('\n\n'),
    sentences: told,
    uncited: [],
    missing: told.length === 0 ? 'The passages do not answer the question.' : null,
    setAside: [],
  };
}

/** As many as there is room for, the best ones first, those of one document together. */
function withinTokens(
  claims: readonly AnswerClaim[],
  maxTokens: number,
  tell: (claim: AnswerClaim, introduced: boolean) => AnswerSentence[],
): AnswerSentence[] {
  let left = maxTokens;
  const fitting = claims.filter((claim) => {
    const tokens = tell(claim, false).reduce((sum, { text }) => sum + estimateTokens(text.length + 3), 0);
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
  return [...groupedBy(fitting, ({ evidence }) => evidence[0]?.sourceId)].flatMap(([, own]) =>
    own.flatMap((claim, at) => tell(claim, at > 0)),
  );
}
