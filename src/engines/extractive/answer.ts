import { citationMark } from '../../core/text/citation-marks';
import { quotation } from '../../core/writing/quotation';
import { CHOICE, chooseSentences, nearBestAmong } from '../../reading/choose-sentences';
import { indexSources } from '../../reading/collection/collection';
import { sentencesOfSource } from '../../reading/collection/read-source';
import { readIndexed } from '../../reading/features/read-features';
import { readQuestion } from '../../reading/question/question';
import { isQuotable } from '../../reading/quotable';
import { rankSentences } from '../../reading/rank-sentences';
import type { AnswerInput, AnswerOutput } from '../../steps/answer/contract';

/** Answers with the sentences of the passages that answer best, word for word. */
export function answerExtractively({ question, passages, counts }: AnswerInput): AnswerOutput {
  const asked = readQuestion(question);
  const collection = indexSources(
    passages.map(({ id, title, text }) => ({
      id,
      title,
      sentences: sentencesOfSource(text)
        .map((sentence) => sentence.text)
        .filter((sentence) => isQuotable(sentence, title)),
    })),
  );
  const ranked = rankSentences(readIndexed(asked, collection, counts));
  const chosen = chooseSentences(ranked, collection, {
    ...CHOICE,
    most: 5,
    nearBest: nearBestAmong(counts.sentences, asked),
  });
  const sentences = chosen.flatMap(({ sentence, source }) => {
    const plain = collection.texts[sentence];
    const id = passages[source]?.id;
    if (plain === undefined || id === undefined) return [];
    const text = `${quotation(plain)} ${citationMark([id])}`;
    return [{ text, plain, passageIds: [id], isClaim: true }];
  });
  return {
    markdown: sentences.map(({ text }) => `- ${text}`).join('\n'),
    sentences,
    uncited: [],
    missing: sentences.length === 0 ? 'The passages do not answer the question.' : null,
    setAside: [],
  };
}
