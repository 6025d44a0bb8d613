import { bestSentences } from './best-by-bm25.mjs';
import { confidenceFigures, confidenceOf } from './confidence.mjs';
import { judgeClaims } from './judge-claims.mjs';
import { retrievedFromGiven } from './given-passages.mjs';
import { answered } from './answered.mjs';
import { draw } from '../draw.mjs';
import { readRecords } from '../read-records.mjs';
import { meanOf, share } from '../shares.mjs';

const RECORD = { id: 'text', input: 'text', ctxs: 'list', output: 'text' };
const OF_OTHERS = 20;
const MOST_TOKENS = 600;

/**
 * Experts' questions with the passages that they used and 20 of other questions: what of the experts' passages an answer
 * cites, whether it cites others', and whether what it says is borne.
 */
export async function answersSuite({ file, questions: most, seed = 1, explain, say }) {
  const all = readRecords(file, RECORD);
  const wanted = explain === undefined ? draw(all, most, seed) : all.filter(({ id }) => id === explain);
  const judged = [];
  const baseline = [];
  for (const record of wanted) {
    const own = passagesOf(record);
    const foreign = draw(
      all.filter((other) => other !== record).flatMap(passagesOf),
      OF_OTHERS,
      seed + all.indexOf(record),
    );
    const retrieved = await retrievedFromGiven(record.input, [...own, ...foreign]);
    const output = await answered(record.input, retrieved, MOST_TOKENS);
    if (explain !== undefined) say(`${record.input}\n\n${output.markdown}\n\n${output.missing ?? ''}`);
    const expert = expertsPassages(record);
    const isOwn = (document) => own.some((one) => one.document === document);
    const documentOf = new Map(retrieved.passages.map(({ id, document }) => [id, document]));
    const cited = [...new Set(output.sentences.flatMap(({ passageIds }) => passageIds))].map((id) =>
      documentOf.get(id),
    );
    judged.push({
      ...citing(cited, expert, isOwn),
      ...judgeClaims(output, retrieved.passages),
      tokens: output.tokens,
      isAnswered: output.sentences.length > 0,
      confidence: confidenceOf(record.input, output, retrieved),
      isRight: isOwn(cited[0]),
    });
    baseline.push(citing(bestByBm25(record.input, [...own, ...foreign]), expert, isOwn));
  }
  const sum = (key) => judged.reduce((total, entry) => total + entry[key], 0);
  return {
    n: judged.length,
    ...figuresOf(judged),
    answered: judged.filter(({ isAnswered }) => isAnswered).length,
    claims: sum('claims'),
    supported: share(sum('supported'), sum('claims')),
    ...confidenceFigures(judged),
    mostTokens: Math.max(...judged.map(({ tokens }) => tokens)),
    meanTokens: meanOf(judged.map(({ tokens }) => tokens)),
    counts: Object.fromEntries(['cited', 'own', 'experts', 'found'].map((key) => [key, sum(key)])),
    baseline: figuresOf(baseline),
  };
}

/** Precision over the answers that cite at all; an answer that cites nothing has found nothing. */
function figuresOf(judged) {
  return {
    citedRecall: meanOf(judged.map(({ found, experts }) => found / experts)),
    citedPrecision: meanOf(judged.flatMap(({ cited, own }) => (cited === 0 ? [] : [own / cited]))),
  };
}

function passagesOf({ id, ctxs }) {
  return ctxs.flatMap(({ title, text, url, year, authors }, at) =>
    typeof text === 'string' && text.trim() !== ''
      ? [{ document: `${id}-${at}`, title, text, url, author: authorsOf(authors), publishedAt: yearOf(year) }]
      : [],
  );
}

/** The passages whose number the expert's answer names in square brackets, lists and ranges among them. */
function expertsPassages(record) {
  const numbers = [...record.output.matchAll(/\[(\d[\d\s,–-]*)\]/g)].flatMap(([, inner]) =>
    inner.split(',').flatMap((part) => {
      const [from, to = from] = part.split(/[–-]/).map(Number);
      return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
    }),
  );
  const known = new Set(passagesOf(record).map(({ document }) => document));
  return [...new Set(numbers.map((number) => `${record.id}-${number}`))].filter((document) =>
    known.has(document),
  );
}

function citing(documents, expert, isOwn) {
  return {
    cited: documents.length,
    own: documents.filter(isOwn).length,
    experts: expert.length,
    found: expert.filter((document) => documents.includes(document)).length,
  };
}

function bestByBm25(question, passages) {
  const sources = passages.map(({ document, text }) => ({ entry: { id: document }, content: text }));
  return [...new Set(bestSentences(sources, MOST_TOKENS)(question).map(({ source }) => source))];
}

function authorsOf(authors) {
  const names = Array.isArray(authors) ? authors.map((author) => author?.name ?? author) : [];
  return names.length === 0 ? undefined : names.join(', ');
}

function yearOf(year) {
  return year === undefined || year === null ? undefined : `${year}`;
}
