// What a text might be made of: subtopics drawn from a collection, with statements of their sources.
import { built } from '../built.mjs';
import { bm25Over } from '../bm25.mjs';
import { bestFirst } from '../rank-within.mjs';
import { seededRandom } from '../draw.mjs';

const SUBTOPICS = 6;
const SOURCES_OF_SUBTOPIC = 5;
const STATEMENTS_OF_SOURCE = 8;
const FEWEST_WORDS = 6;
/** A source is compared with others by how it begins. */
const OPENING_CHARS = 2_000;

/** Articles near to each other are a subtopic, under the title of the first that was drawn. The same for the same seed. */
export function madeMaterial(sources, seed) {
  const random = seededRandom(seed * 7919 + 1);
  const index = bm25Over(sources.map(({ title, content }) => `${title}\n${content.slice(0, OPENING_CHARS)}`));
  const left = new Set(sources.keys());
  const subtopics = Math.min(SUBTOPICS, Math.floor(sources.length / 4));
  const topics = [];
  while (topics.length < subtopics && left.size > 0) {
    const drawn = [...left][Math.floor(random() * left.size)];
    const near = bestFirst(index.of(sources[drawn].title)).filter((at) => left.has(at) && at !== drawn);
    const own = [drawn, ...near].slice(
      0,
      Math.min(SOURCES_OF_SUBTOPIC, Math.floor(sources.length / subtopics)),
    );
    own.forEach((at) => left.delete(at));
    const statements = own.flatMap((at) => statementsOf(sources[at], sources[drawn].title));
    topics.push({ id: `subtopic-${topics.length + 1}`, title: sources[drawn].title, statements });
  }
  const used = new Set(topics.flatMap(({ statements }) => statements.flatMap(({ sourceIds }) => sourceIds)));
  return {
    question: topics.map(({ title }) => title).join('; '),
    topics,
    sources: sources
      .filter(({ id }) => used.has(id))
      .map(({ id, title, site }, at) => ({ sourceId: id, n: at + 1, title, site: site ?? null })),
    conflicts: conflictsIn(topics, sources),
  };
}

function statementsOf({ id, title, content }, question) {
  const { runExtractiveStep } = built('engines/extractive/steps.js');
  const { splitSentences } = built('language/sentences.js');
  const passages = [{ start: 0, end: content.length, text: content, headings: [] }];
  const { summaries } = runExtractiveStep('summarise', {
    question,
    sources: [{ sourceId: id, title, passages }],
  });
  return splitSentences(summaries[0].summary)
    .map(({ text }) => text)
    .filter((text) => text.split(/\s+/).length >= FEWEST_WORDS && /[.!?]$/.test(text))
    .slice(0, STATEMENTS_OF_SOURCE)
    .map((text) => ({ text, sourceIds: [id] }));
}

function conflictsIn(topics, sources) {
  const { findConflicts } = built('reading/reconcile/find-conflicts.js');
  const findings = topics.flatMap((topic) =>
    topic.statements.map(({ text, sourceIds: [sourceId] }, at) => ({
      id: `${topic.id}-${at}`,
      sectionId: topic.id,
      claim: text,
      citations: [sourceId],
      evidence: [{ sourceId, quote: text, start: at * 1000, end: at * 1000 + text.length }],
      confidence: 0.5,
    })),
  );
  const facts = new Map(sources.map(({ id, title }) => [id, { title, quality: 'unknown' }]));
  return findConflicts(findings, facts).map(({ topic, viewpoints }) => ({
    topic,
    viewpoints: viewpoints.map(({ citations, evidence }) => ({
      text: evidence[0].quote,
      sourceIds: citations,
      /** All that say so, for the side to be taken out as a whole. */
      quotes: evidence.map(({ quote }) => quote),
    })),
  }));
}
