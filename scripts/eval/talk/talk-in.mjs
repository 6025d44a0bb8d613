import { readFileSync } from 'node:fs';
import { built } from '../built.mjs';

/** What the reader puts first of a source may answer: so many sentences, and never more than half of them. */
const BEST = 10;
const { signs } = JSON.parse(readFileSync(new URL('../data/talk-signs.json', import.meta.url), 'utf8'));
const SIGNS = signs.map((sign) => new RegExp(sign, 'i'));

/**
 * A source's sentences that are about the question and assert nothing of it, the nearest by its words first: none that the reader
 * ranks among the best by words, none that tells an effect; those that sound like an aim, a method or a need before the others.
 */
export function talkIn(question, { id, title, content }) {
  const { effectsTold } = built('language/direction.js');
  const { terms } = built('language/words.js');
  const { sentencesOfSource } = built('reading/collection/read-source.js');
  const { isQuotable } = built('reading/quotable.js');
  const sentences = sentencesOfSource(content)
    .map(({ text }) => text.replace(/\s+/g, ' '))
    .filter((text) => isQuotable(text, title));
  const best = bestOf(question, { id, title, sentences });
  const asked = new Set(terms(question));
  return sentences
    .map((text, at) => ({
      text,
      at,
      shared: new Set(terms(text).filter((term) => asked.has(term))).size,
      sounds: Number(SIGNS.some((sign) => sign.test(text))),
    }))
    .filter(({ text, at, shared }) => shared > 0 && !best.has(at) && effectsTold(text).length === 0)
    .sort((a, b) => b.sounds - a.sounds || b.shared - a.shared || a.at - b.at)
    .map(({ text }) => text);
}

/** By words alone: what is chosen is to be the same whatever else the reader learns to read by. */
function bestOf(question, source) {
  const { indexSources } = built('reading/collection/collection.js');
  const { readQuestion } = built('reading/question/question.js');
  const { readIndexed } = built('reading/features/read-features.js');
  const { rankSentences } = built('reading/rank-sentences.js');
  const reading = readIndexed(readQuestion(question), indexSources([source]));
  const ranked = rankSentences(reading, { most: Infinity, within: 'source' });
  const most = Math.min(BEST, Math.ceil(source.sentences.length / 2));
  return new Set(ranked.slice(0, most).map(({ sentence }) => sentence));
}
