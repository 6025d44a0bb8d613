import { bm25Over } from '../bm25.mjs';
import { built } from '../built.mjs';
import { bestFirst } from '../rank-within.mjs';

const TOKENS = 400;

/** The best sentences of sources by plain BM25, as many as an answer has room for; it answers whatever is asked. */
export function bestSentences(sources, tokens = TOKENS) {
  const { sentencesOfSource } = built('reading/collection/read-source.js');
  const { estimateTokens } = built('core/budget/call-estimates.js');
  const sentences = sources.flatMap(({ entry, content }) =>
    sentencesOfSource(content).map(({ text }) => ({ source: entry.id, text })),
  );
  const index = bm25Over(sentences.map(({ text }) => text));
  return (question) => {
    const scores = index.of(question);
    const best = [];
    let left = tokens;
    for (const at of bestFirst(scores)) {
      left -= estimateTokens(sentences[at].text.length);
      if ((left < 0 && best.length > 0) || scores[at] === 0) break;
      best.push(sentences[at]);
    }
    return best;
  };
}
