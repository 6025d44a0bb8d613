import { built } from '../built.mjs';

/** Passages that are given rather than searched for, each a document of its own, in the order of their fit. */
export function given(question, passages) {
  const { indexSources } = built('reading/collection/collection.js');
  const { readQuestion } = built('reading/question/question.js');
  const { readIndexed } = built('reading/features/read-features.js');
  const { countWords } = built('reading/features/rarity.js');
  const { rankSentences } = built('reading/rank-sentences.js');
  const { answerableProbability } = built('reading/collection/answerable.js');
  const { sentencesOfSource } = built('reading/collection/read-source.js');
  const asked = readQuestion(question);
  const collection = indexSources(
    passages.map(({ document, title, text }) => ({
      id: document,
      title,
      sentences: sentencesOfSource(text).map((sentence) => sentence.text),
    })),
  );
  const reading = readIndexed(asked, collection);
  return {
    queries: [question],
    passages: passages.map(({ document, text, url, ...rest }, at) => ({
      ...rest,
      ...{ id: `P${at + 1}`, sourceId: document, document, url: url ?? null, pages: null, text },
      ...{ start: 0, end: text.length, origin: 'text', score: 0.5 },
    })),
    counts: countWords(asked, collection),
    searched: { documents: passages.length, passages: passages.length },
    answerable: answerableProbability(reading, rankSentences(reading)),
  };
}
