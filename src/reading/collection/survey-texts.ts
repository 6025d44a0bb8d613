import type { WordCounts } from '../../contracts/report/word-counts';
import { indexSources } from './collection';
import { matchWords } from '../features/matches';
import { readQuestion } from '../question/question';
import { countWords } from '../features/rarity';
import { sentencesOfSource } from './read-source';
import { tokensOf } from '../../language/tokens';
import { stemOf } from '../../language/words';

/** A stem and all forms of its word begin alike. */
const SHORTEST = 3;

export interface WordSurvey {
  counts: WordCounts;
  /** For each text the words (stems) of the question that stand anywhere in it. */
  held: string[][];
}

export function surveyTexts(question: string, texts: readonly string[]): WordSurvey {
  const asked = readQuestion(question);
  const collection = indexSources(
    texts.map((text, at) => ({
      id: `${at}`,
      title: '',
      sentences: sentencesOfSource(text).map((sentence) => sentence.text),
    })),
  );
  const { columns, counts } = matchWords(asked, collection);
  const held = collection.sources.map(({ from, to }, at) => {
    const isElsewhere = beyondSentences(texts[at] ?? '');
    return asked.words.filter((word, column) => {
      for (let row = from; row < to; row += 1) if ((counts[row * columns + column] ?? 0) > 0) return true;
      return isElsewhere(word);
    });
  });
  return { counts: countWords(asked, collection), held };
}

/** Tells whether a text has a word also in its headings, tables and lists, which are no sentences. */
function beyondSentences(text: string): (word: string) => boolean {
  let tokens: string[] | undefined;
  return (word) => {
    const start = word.slice(0, SHORTEST);
    tokens ??= tokensOf(text);
    return tokens.some((token) => token.startsWith(start) && stemOf(token) === word);
  };
}
