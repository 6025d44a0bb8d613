import { join } from 'node:path';
import { built } from '../built.mjs';
import { draw } from '../draw.mjs';
import { readRecords } from '../read-records.mjs';
import { share } from '../shares.mjs';
import { materialOf } from './brief-material.mjs';
import { subtopicOf } from './collection-subtopics.mjs';
import { writeABrief } from './write-a-brief.mjs';

const QUESTIONS = 80;
const SUBTOPICS = 4;
const OPENING = 2;
const LEAST_SENTENCES = 2;

/**
 * The share of Executive Summaries that hold an answer in their first two sentences, against the first sentences of as many summaries
 * and of all: briefs on sources of which one at least answers, each a subtopic.
 */
export async function answerBearing(folder, seed) {
  const sources = readRecords(join(folder, 'sources.jsonl'), { id: 'text', content: 'text' }).map(
    (source) => ({
      ...source,
      content: asWritten(source.content),
    }),
  );
  const asked = readRecords(join(folder, 'questions.jsonl'), {
    id: 'text',
    question: 'text',
    relevant: 'list',
  }).filter(
    ({ relevant, answers, evidence }) => relevant.length > 0 && (answers ?? evidence ?? []).length > 0,
  );
  const counted = [];
  for (const [at, one] of draw(asked, QUESTIONS, seed).entries()) {
    const own = sources.filter(({ id }) => one.relevant.includes(id)).slice(0, SUBTOPICS - 1);
    const others = draw(
      sources.filter(({ id }) => !one.relevant.includes(id)),
      SUBTOPICS,
      seed + at,
    );
    const subtopics = draw([...own, ...others].slice(0, SUBTOPICS), SUBTOPICS, seed + at)
      .map((source) => subtopicOf(source.title ?? source.id, [source]))
      .filter(({ sentences }) => sentences >= LEAST_SENTENCES);
    const given = { question: one.question, subtopics };
    if (subtopics.length < 2) continue;
    const material = materialOf(given);
    const all = material.subtopics.flatMap(({ findings }) => findings);
    // What no statement holds no summary can tell.
    if (!all.some(({ claim }) => holdsAnswer(claim, one))) continue;
    const { drafts } = await writeABrief(given, material, null);
    const told = drafts[0].draft.claims.slice(0, OPENING);
    const first = material.subtopics.flatMap(({ findings }) => findings.slice(0, 1));
    counted.push({
      opening: told.some(({ text }) => holdsAnswer(text, one)),
      firstOfTwo: first.slice(0, OPENING).some(({ claim }) => holdsAnswer(claim, one)),
      firstOfAll: first.some(({ claim }) => holdsAnswer(claim, one)),
    });
  }
  const shareOf = (key) => share(counted.filter((one) => one[key]).length, counted.length);
  return {
    n: counted.length,
    opening: shareOf('opening'),
    firstOfTwo: shareOf('firstOfTwo'),
    firstOfAll: shareOf('firstOfAll'),
  };
}

/** One of the known answers in its words, or most words of a sentence that is known to answer. */
function holdsAnswer(text, { answers = [], evidence = [] }) {
  const { terms } = built('language/words.js');
  const own = new Set(terms(text));
  const isSaid = (sentence) => {
    const wanted = terms(sentence);
    return wanted.filter((term) => own.has(term)).length > 0.8 * wanted.length;
  };
  return answers.some((answer) => text.toLowerCase().includes(answer.toLowerCase())) || evidence.some(isSaid);
}

/** A text that was taken apart in words, in lower case, as it was written: `. it rose , though .` */
function asWritten(text) {
  return text
    .replace(/(^|\s\.\s+)(\p{Ll})/gu, (_all, before, letter) => before + letter.toUpperCase())
    .replace(/\s+(?=[.,;:])/g, '');
}
