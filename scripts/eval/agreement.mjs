// How often quotes of two sources that are called agreeing do agree, and how many of those that do are found.
import { fileURLToPath } from 'node:url';
import { built } from './built.mjs';
import { draw } from './draw.mjs';
import { openEncoder } from './encoder.mjs';
import { plain } from './plain-text.mjs';
import { readRecords } from './read-records.mjs';
import { share } from './shares.mjs';

const RECORD = { question: 'text', documents: 'list' };
const ARTICLE = { id: 'text', title: 'text', content: 'text' };
const NO_ANSWER = 'unknown';
/** Pairs of results from the studies that tell one direction of what may be one comparison; labelled by reading. */
const RESULTS = fileURLToPath(new URL('./data/agreeing-results.jsonl', import.meta.url));

/**
 * `answers`: of a question's documents each one's sentence with its answer, beside those of the others; they agree where the
 * answers do. `results`: pairs of sentences of trials. Each by words, as without an encoder, and by words or meaning.
 */
export async function agreementSuite({ file, sources, questions: most, seed }) {
  const pairs = draw(readRecords(file, RECORD), most, seed).flatMap(answerPairs);
  return {
    n: pairs.length,
    ...(await figuresOf(pairs)),
    ...(sources === undefined ? {} : { results: await figuresOf(resultPairs(sources[0])) }),
  };
}

async function figuresOf(pairs) {
  const { compareStatements } = built('reading/statements/compare-statements.js');
  const { readStatement } = built('reading/statements/statement.js');
  const { indexStatements } = built('reading/statements/statement-index.js');
  const { saysTheSame } = built('reading/statements/says-the-same.js');
  const encoder = await openEncoder();
  const known = new Map();
  const meantOf = async ({ text, title }) => {
    const key = `${title}\n${text}`;
    if (!known.has(key)) {
      const [encoded, encodedTitle] = encoder === null ? [] : await encoder.encode([text, title]);
      known.set(key, { statement: readStatement(text, title), text: encoded, title: encodedTitle });
    }
    return known.get(key);
  };
  const read = [];
  for (const { claim, quote, agree } of pairs)
    read.push({ claim: await meantOf(claim), quote: await meantOf(quote), agree });
  const { weightOf } = indexStatements([...known.values()].map(({ statement }) => statement.matter));
  const judged = read.map(({ claim, quote, agree }) => {
    const byWords = compareStatements(claim.statement, quote.statement, weightOf)?.relation === 'agree';
    return { agree, byWords, said: byWords || (encoder !== null && saysTheSame(claim, quote, weightOf)) };
  });
  const counted = (key) => {
    const said = judged.filter((pair) => pair[key]);
    const right = said.filter(({ agree }) => agree).length;
    return { right, said: said.length };
  };
  const agreeing = judged.filter(({ agree }) => agree).length;
  const [{ right, said }, words] = [counted('said'), counted('byWords')];
  return {
    precision: share(right, said),
    recall: share(right, agreeing),
    byWords: { precision: share(words.right, words.said), recall: share(words.right, agreeing) },
    counts: { right, said, agreeing, rightByWords: words.right, saidByWords: words.said },
  };
}

function answerPairs({ question, documents }) {
  const { sentencesOfSource } = built('reading/collection/read-source.js');
  const { isQuotable } = built('reading/quotable.js');
  const { terms } = built('language/words.js');
  const asked = new Set(terms(question));
  const told = documents.flatMap(({ text, answer }) => {
    if (answer === NO_ANSWER) return [];
    const sentences = sentencesOfSource(text)
      .map((sentence) => sentence.text)
      .filter((sentence) => isQuotable(sentence, '') && plain(sentence).includes(plain(answer)))
      .map((sentence) => ({ sentence, shared: terms(sentence).filter((term) => asked.has(term)).length }))
      .sort((a, b) => b.shared - a.shared);
    return sentences.length === 0 ? [] : [{ text: sentences[0].sentence, title: '', answer: plain(answer) }];
  });
  return told.flatMap((claim) =>
    told
      .filter(({ text }) => text !== claim.text)
      .map((quote) => ({ claim, quote, agree: claim.answer === quote.answer })),
  );
}

function resultPairs(file) {
  const articles = new Map(readRecords(file, ARTICLE).map((article) => [article.id, article]));
  const sentence = ({ source, start, end }) => {
    const { title, content } = articles.get(source);
    return { text: content.slice(start, end), title };
  };
  return readRecords(RESULTS, { agree: 'boolean' }).map(({ claim, quote, agree }) => ({
    claim: sentence(claim),
    quote: sentence(quote),
    agree,
  }));
}
