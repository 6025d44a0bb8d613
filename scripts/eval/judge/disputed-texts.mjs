import { built } from '../built.mjs';
import { seededRandom } from '../draw.mjs';
import { readRecords } from '../read-records.mjs';
import { writtenText } from './written-text.mjs';

const RECORD = { id: 'text', question: 'text', documents: 'list' };
const QUESTIONS_OF_BRIEF = 3;
const SOURCES_OF_SIDE = 3;
const STATEMENTS_OF_SOURCE = 5;
const FEWEST_WORDS = 6;
const NO_ANSWER = 'unknown';

/**
 * Briefs without a model whose subtopics say contrary things: of each question two answers that documents give to it, a subtopic
 * each, in the documents' own sentences. That they disagree is known from who asked, and not found by words.
 */
export async function* disputedTexts(file, many, seed) {
  const random = seededRandom(seed * 7919 + 5);
  const disputes = readRecords(file, RECORD)
    .flatMap((record) => disputeOf(record) ?? [])
    .map((dispute) => ({ dispute, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ dispute }) => dispute);
  for (let at = 0; at < many; at += 1) {
    const own = disputes.slice(QUESTIONS_OF_BRIEF * at, QUESTIONS_OF_BRIEF * (at + 1));
    if (own.length < QUESTIONS_OF_BRIEF) return;
    const subtopics = own.flatMap(({ subtopics: both }) => both);
    const given = { question: own.map(({ question }) => question).join(' '), subtopics };
    const conflicts = (material) => own.map((dispute, place) => conflictOf(dispute, 2 * place, material));
    const id = seed * 1000 + at;
    yield { id, ...(await writtenText(given, id, conflicts)) };
  }
}

/** Two answers with the documents that say so in a whole sentence; null where there are none. */
function disputeOf({ id, question, documents }) {
  const sides = new Map();
  for (const [at, { text, answer }] of documents.entries()) {
    if (answer === NO_ANSWER) continue;
    const sentences = sentencesOf(text);
    const telling = sentences.find((sentence) => sentence.includes(answer));
    if (telling === undefined) continue;
    const others = sentences.filter((sentence) => sentence !== telling).slice(0, STATEMENTS_OF_SOURCE - 1);
    const source = { id: `${id}-${at}`, title: `Document ${at + 1} on ${question}`, telling, others };
    sides.set(answer, [...(sides.get(answer) ?? []), source]);
  }
  const both = [...sides].slice(0, 2);
  // Of the same sentence nobody could say which side it is on.
  if (new Set(both.map(([, [{ telling }]]) => telling)).size < 2) return null;
  const answers = both.map(([answer]) => answer);
  return { id, question, answers, subtopics: both.map(([answer, own]) => subtopicOf(question, answer, own)) };
}

function subtopicOf(question, answer, documents) {
  const own = documents.slice(0, SOURCES_OF_SIDE);
  const paragraphs = own.map(({ telling, others }, at) =>
    [telling, ...others].map((text) => `${text.slice(0, -1)} [${at + 1}].`).join(' '),
  );
  const sources = own.map(({ id, title }) => ({ id, title, url: `https://example.org/${id}`, content: '' }));
  return { title: `${question} ${answer}`, summary: paragraphs.join('\n\n'), sources };
}

function sentencesOf(text) {
  const { splitSentences } = built('language/sentences.js');
  const whole = splitSentences(text).map((sentence) => sentence.text.replace(/\s+/g, ' '));
  return whole.filter(
    (sentence) =>
      sentence.split(' ').length >= FEWEST_WORDS && /[^.]\.$/.test(sentence) && !sentence.includes('['),
  );
}

function conflictOf({ id, question, answers }, from, { subtopics }) {
  const sides = answers.map((answer, side) =>
    subtopics[from + side].findings.filter(({ claim }) => claim.includes(answer)),
  );
  return {
    id,
    topic: question,
    kind: 'condition',
    resolution: 'present_both',
    reason: 'They answer it differently.',
    viewpoints: sides.map((own) => ({
      statement: own[0].claim,
      citations: [...new Set(own.flatMap(({ citations }) => citations))],
      evidence: own.flatMap(({ evidence }) => evidence),
    })),
    findingIds: sides.flat().map((finding) => finding.id),
  };
}
