import { built } from '../built.mjs';
import { talkIn } from './talk-in.mjs';

/** A sentence tells a statement that has so many of its words in it, some being left out, or that so many of its own are of. */
const TOLD_FROM = 0.6;
const OF_A_LONGER_QUOTE = 0.8;

/**
 * A report's text and what it was made from, with talk in the place of what was found: each statement becomes another sentence of
 * its source, wherever it is told. Where a source has no talk left, what it says is left out, so that nothing that answers is
 * left. `exchanged` are the sentences that are talk now, of so many that cited.
 */
export function exchangeTalk({ text, material }, contentOf) {
  const left = new Map();
  const nextTalk = ([id]) => {
    if (!left.has(id)) left.set(id, talkIn(material.question, contentOf.get(id)));
    return left.get(id).shift();
  };
  const exchanges = new Map();
  const exchangeOf = ({ text: said, sourceIds }) => {
    const key = `${sourceIds[0]} ${said}`;
    if (!exchanges.has(key)) exchanges.set(key, { said, sourceIds, talk: nextTalk(sourceIds) });
    return exchanges.get(key).talk;
  };
  const instead = (statement) => {
    const talk = exchangeOf(statement);
    return talk === undefined ? [] : [{ ...statement, text: talk }];
  };
  const topics = material.topics
    .map((topic) => ({ ...topic, statements: topic.statements.flatMap(instead) }))
    .filter(({ statements }) => statements.length > 0);
  const conflicts = material.conflicts
    .map((conflict) => ({ ...conflict, viewpoints: conflict.viewpoints.flatMap(instead) }))
    .filter(({ viewpoints }) => viewpoints.length > 1);
  const told = [...exchanges.values()].map((exchange) => ({ ...exchange, words: wordsIn(exchange.said) }));
  const counts = { citing: 0, exchanged: 0 };
  const sentenceInstead = (sentence) => {
    const cites = sentence.sourceIds.length > 0;
    const near = nearestTold(
      sentence.text,
      cites ? told.filter((one) => sentence.sourceIds.includes(one.sourceIds[0])) : told,
    );
    // What cites nothing is its writer's, but for the beginning of a quote whose citation stands at its end.
    if (!cites) return near === undefined ? [sentence] : [];
    counts.citing += 1;
    if (near?.talk === undefined) return [];
    counts.exchanged += 1;
    return [{ ...sentence, text: withOtherQuote(sentence.text, near) }];
  };
  const talked = text
    .map((part) => ({
      ...part,
      paragraphs: part.paragraphs.map((paragraph) => paragraph.flatMap(sentenceInstead)),
    }))
    .filter(({ paragraphs }) => paragraphs.flat().length > 0);
  return { text: talked, material: { ...material, topics, conflicts }, ...counts };
}

/** Of statements the one that a sentence tells most of. */
function nearestTold(sentence, told) {
  const own = wordsIn(sentence);
  return told
    .map((one) => ({ ...one, shared: [...one.words].filter((word) => own.has(word)).length }))
    .sort((a, b) => b.shared - a.shared)
    .find(
      ({ shared, words }) =>
        shared > 0 && (shared >= TOLD_FROM * words.size || shared >= OF_A_LONGER_QUOTE * own.size),
    );
}

/** The writer's words around a quote stay; a sentence that marks no quote is exchanged as a whole. */
function withOtherQuote(sentence, { words, talk }) {
  const quotes = [...sentence.matchAll(/“[^”]*”/g)]
    .map(([quote]) => ({ quote, shared: [...wordsIn(quote)].filter((word) => words.has(word)).length }))
    .sort((a, b) => b.shared - a.shared);
  const [{ quote, shared } = { shared: 0 }] = quotes;
  if (shared === 0) return talk;
  // As a report quotes: without the stop, which stands behind the quote.
  return sentence.replace(quote, () => `“${talk.replace(/\.$/, '')}”`);
}

function wordsIn(text) {
  const { terms } = built('language/words.js');
  return new Set(terms(text));
}
