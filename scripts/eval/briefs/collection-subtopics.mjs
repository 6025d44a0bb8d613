import { join } from 'node:path';
import { built } from '../built.mjs';
import { readRecords } from '../read-records.mjs';

const LEAST = { sources: 3, sentences: 4 };
const MOST_SUBTOPICS = 8;

/** A long report by its parts: each is a subtopic whose summary cites that part. Of the reports the ones with most parts. */
export function reportSubtopics(folder, reports = 2) {
  const { sources, questions } = collectionIn(folder);
  return [...questions]
    .sort((a, b) => b.relevant.length - a.relevant.length || (a.id < b.id ? -1 : 1))
    .slice(0, reports)
    .map(({ id, question, relevant }) => ({
      name: id,
      question,
      subtopics: relevant
        .flatMap((source) => sources.get(source) ?? [])
        .map((source) => subtopicOf(source.title, [source]))
        .filter(({ sentences }) => sentences >= LEAST.sentences),
    }));
}

/** Questions of a collection that several of its sources answer, each a subtopic; the first of them is what is asked. */
export function questionSubtopics(folder, name) {
  const { sources, questions } = collectionIn(folder);
  const asked = distinct(questions)
    .filter(({ relevant }) => relevant.length >= LEAST.sources)
    .sort((a, b) => b.relevant.length - a.relevant.length || (a.id < b.id ? -1 : 1))
    .slice(0, MOST_SUBTOPICS);
  return {
    name,
    question: asked[0].question,
    subtopics: asked
      .map(({ question, relevant }) =>
        subtopicOf(
          question,
          relevant.flatMap((id) => sources.get(id) ?? []),
        ),
      )
      .filter(({ sentences }) => sentences >= LEAST.sentences),
  };
}

/** Of questions that the same source answers the first. */
function distinct(questions) {
  const answering = new Set();
  return questions.filter(({ relevant }) => {
    const isNew = !relevant.some((id) => answering.has(id));
    for (const id of relevant) answering.add(id);
    return isNew;
  });
}

function collectionIn(folder) {
  const sources = readRecords(join(folder, 'sources.jsonl'), { id: 'text', content: 'text' });
  return {
    sources: new Map(sources.map((source) => [source.id, source])),
    questions: readRecords(join(folder, 'questions.jsonl'), {
      id: 'text',
      question: 'text',
      relevant: 'list',
    }),
  };
}

export function subtopicOf(title, sources) {
  const { sentencesOfSource } = built('reading/collection/read-source.js');
  let sentences = 0;
  const paragraphs = sources.map((source, n) =>
    sentencesOfSource(source.content)
      .map(({ text }) =>
        text
          .replace(/\s*\[[^\]]*\]/g, '')
          .replace(/\s+/g, ' ')
          .trim(),
      )
      .filter((text) => /^[A-Z].*[a-z)%0-9]\.$/.test(text) && text.split(' ').length >= 5)
      .map((text) => {
        sentences += 1;
        return `${text.slice(0, -1)} [${n + 1}].`;
      })
      .join(' '),
  );
  const named = sources.map((source) => ({
    url: `https://example.org/${source.id}`,
    title: source.id,
    ...source,
  }));
  return {
    title: title.slice(0, 120),
    summary: paragraphs.filter(Boolean).join('\n\n'),
    sources: named,
    sentences,
  };
}
