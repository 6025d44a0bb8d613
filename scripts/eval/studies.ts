import { z } from 'zod';
import { plainQuestion } from '../../training/records';
import * as product from './product';
import { readRecords, UsageError } from './records';
import { present } from './seeded-draw';

// Questions on single articles whose evidence has its place there, and the articles with their sentences.

const Question = z.object({
  id: z.string().optional(),
  prompt_id: z.union([z.string(), z.number()]).optional(),
  source_id: z.string(),
  intervention: z.string(),
  comparator: z.string(),
  outcome: z.string(),
  labels: z.array(z.string()),
  evidence: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })),
});
const Article = z.object({ id: z.string(), title: z.string(), content: z.string() });
type Article = z.infer<typeof Article>;

interface Place {
  start: number;
  end: number;
}

export interface StudyQuestion extends z.infer<typeof Question> {
  id: string;
  article: Article;
  text: string;
}

/** The questions of a file, each with its article of another one. */
export function studyQuestions(questionsFile: string, sourcesFile: string | undefined): StudyQuestion[] {
  const articles = articlesOf(sourcesFile ?? '');
  return readRecords(questionsFile, Question).map((record) => {
    const article = articles.get(record.source_id);
    if (article === undefined)
      throw new UsageError(
        `${sourcesFile ?? ''} has no source "${record.source_id}", on which there is a question.`,
      );
    return { ...record, id: `${record.prompt_id ?? record.id ?? ''}`, article, text: plainQuestion(record) };
  });
}

export function articlesOf(file: string): Map<string, Article> {
  return new Map(readRecords(file, Article).map((article) => [article.id, article]));
}

/** Those of which some evidence has a place in the article, with that alone. */
export function withPlaces(questions: readonly StudyQuestion[]): StudyQuestion[] {
  return questions
    .map((question) => ({ ...question, evidence: question.evidence.filter(({ start }) => start >= 0) }))
    .filter(({ evidence }) => evidence.length > 0);
}

/** The sentences of articles with their places, split when they are first asked for. */
export function sentencesByArticle(): ({
  id,
  content,
}: Article) => ReturnType<typeof product.sentencesOfSource> {
  const known = new Map<string, ReturnType<typeof product.sentencesOfSource>>();
  return ({ id, content }) => {
    if (!known.has(id)) known.set(id, product.sentencesOfSource(content));
    return present(known.get(id));
  };
}

export function isEvidence({ start, end }: Place, evidence: readonly Place[]): boolean {
  return evidence.some((span) => start < span.end && span.start < end);
}
