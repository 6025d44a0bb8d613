import { sentenceKey } from '../../core/duplicates/near-duplicate-sentences';
import { distinctBy } from '../../core/values/distinct-by';
import { isAskingWord } from '../../reading/question/question';
import { asksForEffect, parted } from '../../reading/question/question-kind';
import type { PlanSearchInput, PlanSearchOutput } from '../../steps/plan-search/contract';

/**
 * What a question is about, in its own words: all of its phrases together, then what it begins with beside each of the others, for
 * an index that wants every word of a query. Of what is left open: its phrases beside what the question begins with.
 */
export function planSearchExtractively({ question, tried, gaps, most }: PlanSearchInput): PlanSearchOutput {
  const asked = phrasesOf(question);
  const [subject = question.trim(), ...others] = asked;
  const ofQuestion = [
    asked.length === 0 ? subject : asked.join(' '),
    ...(others.length < 2 ? [] : others.map((phrase) => `${subject} ${phrase}`)),
  ];
  const ofGaps = gaps.flatMap((gap) => {
    // What a gap names stands in quotation marks, within words that say that it is one.
    const named = [...gap.matchAll(/“([^”]+)”/g)].flatMap(([, phrase = '']) => phrasesOf(phrase));
    const phrases = named.length > 0 ? named : phrasesOf(gap);
    return phrases.length === 0 ? [] : [joined([subject, ...phrases])];
  });
  const known = new Set(tried.map(sentenceKey));
  const planned = (gaps.length > 0 ? ofGaps : ofQuestion).filter(
    (query) => query !== '' && !known.has(sentenceKey(query)),
  );
  return { queries: distinctBy(planned, sentenceKey).slice(0, most) };
}

const MAX_QUERY_CHARS = 300;

/** Each word once: a gap on what the question is about says that again. */
function joined(phrases: readonly string[]): string {
  const words = distinctBy(phrases.join(' ').split(' '), (word) => word.toLowerCase());
  return words.join(' ').slice(0, MAX_QUERY_CHARS).trim();
}

function phrasesOf(text: string): string[] {
  return parted(text, asksForEffect(text)).flatMap(({ text: phrase }) => {
    const telling = phrase.split(' ').filter((word) => !isAskingWord(word));
    return telling.length === 0 ? [] : [telling.join(' ')];
  });
}
