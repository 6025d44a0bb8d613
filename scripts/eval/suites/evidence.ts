import { explained } from '../explain';
import { countOf, share, sumOf } from '../figures';
import * as product from '../product';
import { bestFirst, bm25Over, crossValidated, rankWithin } from '../ranking';
import { articlesOf, isEvidence, sentencesByArticle, studyQuestions, withPlaces } from '../studies';
import { type Call, measured, type Suite } from '../suite';

const TOP = 5;
const TOP_ARTICLES = 10;
/** A source is as good as so many of its sentences: one alone may say a word by chance. */
const BEST_SENTENCES = 3;

export const evidence: Suite = {
  usage: 'evidence QUESTIONS.jsonl --sources FILE [--search] [--questions N --seed S] [--explain ID]',
  options: ['sources', 'questions', 'seed', 'explain', 'search'],
  measure: (call) => (call.search === true ? inAllArticles(call) : inItsArticle(call)),
};

/**
 * The reader's weights for an article. Where it was among those that the weights were learned from, the row for questions
 * about effects is one that has not seen it.
 */
function unseenWeights(): {
  isLearnedFrom: (article: string) => boolean;
  weightsFor: (article: string) => typeof product.READER_WEIGHTS;
} {
  const { isLearnedFrom, weightsOf } =
    crossValidated<Parameters<typeof product.weightsNamed>[0]>('cross-validation.json');
  const weightsFor = (article: string): typeof product.READER_WEIGHTS => {
    const row = weightsOf(article);
    return row === undefined
      ? product.READER_WEIGHTS
      : { ...product.READER_WEIGHTS, effect: product.weightsNamed(row) };
  };
  return { isLearnedFrom, weightsFor };
}

/** How often a sentence that doctors marked as evidence is the reader's first, or among its first five, of its article. */
function inItsArticle(call: Call): Promise<object> {
  const sentencesOf = sentencesByArticle();
  const { isLearnedFrom, weightsFor } = unseenWeights();
  return measured(call, {
    items: withPlaces(studyQuestions(call.file, call.sources[0])),
    idOf: ({ id }) => id,
    isAlone: true,
    find({ text, article, evidence: marked }) {
      const spans = sentencesOf(article);
      const source = { ...article, sentences: spans.map((span) => span.text) };
      const rightIn = spans.map((span) => isEvidence(span, marked));
      const read = rankWithin(product.readQuestion(text), source, weightsFor(article.id));
      const right = (ranked: readonly number[]): boolean[] => ranked.map((at) => rightIn[at] === true);
      return { read, source, reader: right(read.ranked), bm25: right(read.byBm25) };
    },
    explain({ read, source }, { text, evidence: marked, article }) {
      const isRight = (at: number): boolean => isEvidence(sentencesOf(article)[at] ?? nowhere, marked);
      return `${text}\n${explained(read.ranked, read, source.sentences, isRight)}`;
    },
    figures(found, questions) {
      const n = found.length;
      const rightAmong = (by: 'reader' | 'bm25', top: number): number =>
        countOf(found, (one) => one[by].slice(0, top).includes(true));
      return {
        n,
        evidenceAt1: share(rightAmong('reader', 1), n),
        evidenceAt5: share(rightAmong('reader', TOP), n),
        none: countOf(found, ({ reader }) => reader.length === 0),
        crossValidated: countOf(questions, ({ article }) => isLearnedFrom(article.id)),
        counts: { evidenceAt1: rightAmong('reader', 1), evidenceAt5: rightAmong('reader', TOP) },
        baseline: {
          evidenceAt1: share(rightAmong('bm25', 1), n),
          evidenceAt5: share(rightAmong('bm25', TOP), n),
        },
      };
    },
  });
}

const nowhere = { start: 0, end: 0 };

/**
 * The article is not given but sought among all: how often evidence is among the first five sentences over all articles, and
 * how well an article is found by the outcome alone. The whole question finds its article by its words nearly always, which
 * measures nothing.
 */
function inAllArticles(call: Call): Promise<object> {
  const sentencesOf = sentencesByArticle();
  const { isLearnedFrom, weightsFor } = unseenWeights();
  const sources = [...articlesOf(call.sources[0] ?? '').values()].map((article) => ({
    ...article,
    sentences: sentencesOf(article).map(({ text }) => text),
  }));
  const collection = product.indexSources(sources);
  const baseline = bm25Over(sources.map(({ title, sentences }) => [title, ...sentences].join('\n')));
  call.say(`${sources.length} articles, ${collection.texts.length} sentences`);
  return measured(call, {
    items: withPlaces(studyQuestions(call.file, call.sources[0])),
    find({ text, outcome, article, evidence: marked }) {
      const own = sources.findIndex(({ id }) => id === article.id);
      const weights = weightsFor(article.id);
      const ranked = (asked: string): ReturnType<typeof product.rankSentences> =>
        product.rankSentences(product.readIndexed(product.readQuestion(asked), collection), { weights });
      const spans = sentencesOf(article);
      const from = collection.sources[own]?.from ?? 0;
      const isRight = ({ sentence, source }: { sentence: number; source: number }): boolean =>
        source === own && isEvidence(spans[sentence - from] ?? nowhere, marked);
      return {
        article: sourcesByBest(ranked(outcome)).indexOf(own),
        bm25: bestFirst(baseline.of(outcome)).indexOf(own),
        isFound: ranked(text).slice(0, TOP).some(isRight),
      };
    },
    figures(found, questions) {
      const n = found.length;
      const among = (by: 'article' | 'bm25', top: number): number =>
        countOf(found, (one) => one[by] >= 0 && one[by] < top);
      const counts = {
        evidenceAt5: countOf(found, ({ isFound }) => isFound),
        articleAt1: among('article', 1),
        articleAt10: among('article', TOP_ARTICLES),
      };
      return {
        n,
        evidenceAt5: share(counts.evidenceAt5, n),
        articleAt1: share(counts.articleAt1, n),
        articleAt10: share(counts.articleAt10, n),
        crossValidated: countOf(questions, ({ article }) => isLearnedFrom(article.id)),
        counts,
        baseline: {
          articleAt1: share(among('bm25', 1), n),
          articleAt10: share(among('bm25', TOP_ARTICLES), n),
        },
      };
    },
  });
}

/** The sources of ranked sentences, by what the best of each have together. */
function sourcesByBest(ranked: readonly { source: number; score: number }[]): number[] {
  const scores = new Map<number, number[]>();
  for (const { source, score } of ranked) {
    const own = scores.get(source) ?? [];
    if (own.length < BEST_SENTENCES) scores.set(source, [...own, score]);
  }
  const worth = (values: readonly number[]): number => sumOf(values, (value) => value);
  return [...scores].sort(([, a], [, b]) => worth(b) - worth(a)).map(([source]) => source);
}
