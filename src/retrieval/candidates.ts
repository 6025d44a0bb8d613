import type { AnswerPassage } from '../contracts/answer/answer-passage';
import type { WordCounts } from '../contracts/report/word-counts';
import { splitSentences } from '../language/sentences';
import { indexSources } from '../reading/collection/collection';
import { sentencesOfSource } from '../reading/collection/read-source';
import { addCounts, countWords } from '../reading/features/rarity';
import { readQuestion } from '../reading/question/question';
import type { CorpusIndex, FoundPassage } from './corpus-index';
import { pagesOf } from '../core/sources/pages-of';
import type { PassagesToRank, PassageSentence, ReadablePassage, SurroundingSource } from './rank-passages';

/** A passage that may be retrieved, and what it is read by; `text` stands at `start` of its source. */
export interface Candidate extends ReadablePassage {
  about: Omit<AnswerPassage, 'id' | 'score' | 'start' | 'end' | 'text'>;
  start: number;
  end: number;
  text: string;
  /** Its number in the index; null for what was given. */
  passage: number | null;
  /** What whoever gave it says of how well it fits; null for what a search has found. */
  similarity: number | null;
}

/** What a passage of the index is as a candidate; null where its source's text is not to be had. */
export function foundCandidate(
  { entries, layout }: CorpusIndex,
  { source, passage, start, end }: FoundPassage,
  content: string | undefined,
): Candidate | null {
  const entry = entries[source];
  if (entry === undefined || content === undefined) return null;
  const sentences: PassageSentence[] = [];
  for (let at = layout.passageFrom[passage] ?? 0; at < (layout.passageTo[passage] ?? 0); at += 1) {
    const from = layout.sentenceStart[at] ?? 0;
    const to = layout.sentenceEnd[at] ?? 0;
    sentences.push({ start: from, end: to, text: content.slice(from, to) });
  }
  const { id, title, file, url, pages, author, site, publishedAt, work, summaryOnly } = entry;
  const about = {
    sourceId: id,
    document: file ?? title,
    title,
    url,
    ...(author === undefined ? {} : { author }),
    ...(site === undefined ? {} : { site }),
    ...(publishedAt === undefined ? {} : { publishedAt }),
    ...(work === undefined ? {} : { work }),
    ...(summaryOnly === undefined ? {} : { summaryOnly }),
    pages: pagesOf(pages, start, end),
    origin: 'text' as const,
  };
  return {
    about,
    sourceId: id,
    title,
    sentences,
    start,
    end,
    text: content.slice(start, end),
    passage,
    similarity: null,
  };
}

export function givenCandidate(given: AnswerPassage): Candidate {
  const { id: _id, score, start, end, text, ...about } = given;
  const own = sentencesOfSource(text);
  const sentences = (own.length > 0 ? own : splitSentences(text)).map((sentence) => ({
    start: start + sentence.start,
    end: start + sentence.end,
    text: sentence.text,
  }));
  return {
    about,
    sourceId: about.sourceId,
    title: about.title,
    sentences,
    start,
    end,
    text,
    passage: null,
    similarity: score,
  };
}

/** So many sources stand beside those of the candidates, the ones that hold most of the question: some of the corpus stand out from the rest, or none. */
const BESIDE = 20;

export function passagesToRank(
  questions: readonly string[],
  candidates: readonly Candidate[],
  index: CorpusIndex | null,
): PassagesToRank {
  const words = [...new Set(questions.flatMap((question) => readQuestion(question).words))];
  const titles = new Map(candidates.map(({ sourceId, title }) => [sourceId, title]));
  const held = new Map<string, readonly string[]>();
  if (index !== null) {
    const bySource = index.heldBySource(words);
    const most = [...bySource.keys()].sort(
      (a, b) => (bySource[b]?.length ?? 0) - (bySource[a]?.length ?? 0) || a - b,
    );
    const beside = new Set(most.slice(0, BESIDE));
    index.entries.forEach(({ id, title }, source) => {
      if (!titles.has(id) && !beside.has(source)) return;
      titles.set(id, title);
      held.set(id, bySource[source] ?? []);
    });
  }
  const sources = [...titles].map(([id, title]): SurroundingSource => ({
    id,
    title,
    held: held.get(id) ?? [],
  }));
  return {
    questions,
    passages: candidates.map(({ sourceId, title, sentences }) => ({ sourceId, title, sentences })),
    sources,
    counts: countsOf(questions, candidates, index),
    ...(index === null ? {} : { averageTokens: index.averageSentenceTokens }),
  };
}

function countsOf(
  questions: readonly string[],
  candidates: readonly Candidate[],
  index: CorpusIndex | null,
): WordCounts {
  const indexed = new Set(index?.entries.map(({ id }) => id));
  const beside = candidates.filter(({ sourceId }) => !indexed.has(sourceId));
  const collection = indexSources(
    beside.map(({ sourceId, title, sentences }) => ({
      id: sourceId,
      title,
      sentences: sentences.map(({ text }) => text),
    })),
  );
  const parts = questions.map((question) => {
    const own = countWords(readQuestion(question), collection);
    return index === null ? own : addCounts([own, index.counts(question)]);
  });
  return {
    sentences: parts[0]?.sentences ?? 0,
    holders: Object.assign({}, ...parts.map(({ holders }) => holders)) as WordCounts['holders'], // of records of counts
  };
}
