// What a brief might be asked to bring together: subtopics drawn from a collection, their summaries in its sources' own sentences.
import { built } from '../built.mjs';
import { bm25Over } from '../bm25.mjs';
import { extractiveStep } from '../extractive-step.mjs';
import { bestFirst } from '../rank-within.mjs';
import { seededRandom } from '../draw.mjs';

const SUBTOPICS = 6;
const SOURCES_OF_SUBTOPIC = 5;
const FEWEST_SOURCES_OF_SUBTOPIC = 4;
const STATEMENTS_OF_SOURCE = 8;
const FEWEST_WORDS = 6;
/** A source is compared with others by how it begins. */
const OPENING_CHARS = 2_000;

/** Sources near to each other are a subtopic, under the title of the first that was drawn. The same for the same seed. */
export async function drawnSubtopics(sources, seed) {
  const random = seededRandom(seed * 7919 + 1);
  const index = bm25Over(sources.map(({ title, content }) => `${title}\n${content.slice(0, OPENING_CHARS)}`));
  const left = new Set(sources.keys());
  const wanted = Math.min(SUBTOPICS, Math.floor(sources.length / FEWEST_SOURCES_OF_SUBTOPIC));
  const size = Math.min(SOURCES_OF_SUBTOPIC, Math.floor(sources.length / wanted));
  const subtopics = [];
  while (subtopics.length < wanted && left.size > 0) {
    const drawn = [...left][Math.floor(random() * left.size)];
    const near = bestFirst(index.of(sources[drawn].title)).filter((at) => left.has(at) && at !== drawn);
    const own = [drawn, ...near].slice(0, size);
    own.forEach((at) => left.delete(at));
    const cited = own.map((at) => sources[at]);
    subtopics.push(await subtopicOf(sources[drawn].title, cited));
  }
  return { question: subtopics.map(({ title }) => title).join('; '), subtopics };
}

async function subtopicOf(title, cited) {
  const paragraphs = [];
  for (const [at, source] of cited.entries()) {
    const statements = await statementsOf(source, title);
    paragraphs.push(statements.map((text) => `${text.slice(0, -1)} [${at + 1}]${text.slice(-1)}`).join(' '));
  }
  return { title, summary: paragraphs.filter((paragraph) => paragraph !== '').join('\n\n'), sources: cited };
}

async function statementsOf({ id, title, content }, question) {
  const { splitSentences } = built('language/sentences.js');
  const passages = [{ start: 0, end: content.length, text: content, headings: [] }];
  const { summaries } = await extractiveStep('summarise', {
    question,
    sources: [{ sourceId: id, title, passages }],
  });
  return splitSentences(summaries[0].summary)
    .map(({ text }) => text)
    .filter((text) => text.split(/\s+/).length >= FEWEST_WORDS && /[^.]\.$/.test(text) && !text.includes('['))
    .slice(0, STATEMENTS_OF_SOURCE);
}
