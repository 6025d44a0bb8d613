import { answered } from './answered.mjs';
import { openCorpus, readCorpus } from './corpus.mjs';
import { citedSource } from './judge-answer.mjs';
import { draw } from '../draw.mjs';
import { isEvidence, studyQuestions } from '../study-questions.mjs';
import { share } from '../shares.mjs';
import { join } from 'node:path';

const ASKED = 40;

/**
 * Questions on single articles, made into sentences; of half of them the article is taken away. Each is told on standard error
 * with the answer's first sentence, so that a reader can judge it.
 */
export async function answersStudiesSuite({ folder, questions: most = ASKED, seed = 1, explain, say }) {
  const [questionsFile, sourcesFile] = ['questions.jsonl', 'sources.jsonl'].map((name) => join(folder, name));
  const { questions } = studyQuestions({ questionsFile, sourcesFile, questions: most, seed });
  const without = new Set(draw(questions, Math.floor(questions.length / 2), seed).map(({ id }) => id));
  const sources = await readCorpus(sourcesFile);
  const gone = new Set(questions.filter(({ id }) => without.has(id)).map(({ article }) => article));
  const whole = openCorpus(sources);
  const lacking = openCorpus(sources.filter(({ entry }) => !gone.has(entry.id)));
  const judged = [];
  for (const question of questions) {
    const isGone = without.has(question.id);
    const retrieved = await (isGone ? lacking : whole).retrieve(question.text);
    const { sentences, missing, markdown } = await answered(question.text, retrieved);
    const entry = judgedOf(question, { isGone, sentences, missing, passages: retrieved.passages });
    const [first] = sentences;
    if (explain === undefined || explain === question.id) {
      say(`\n${question.id} ${isGone ? 'without its article' : 'with its article'}: ${question.text}`);
      say(`  ${retrieved.answerable.toFixed(2)} ${entry.verdict}`);
      say(explain === undefined ? `  ${first?.text ?? '–'}` : markdown);
      if (missing !== null) say(`  missing: ${missing}`);
    }
    judged.push(entry);
  }
  const kept = judged.filter(({ isGone }) => !isGone);
  const removed = judged.filter(({ isGone }) => isGone);
  const count = (list, key) => list.filter((entry) => entry[key]).length;
  return {
    n: judged.length,
    withArticle: kept.length,
    answered: count(kept, 'isAnswered'),
    bearsOn: count(kept, 'bearsOn'),
    bearsOnShare: share(count(kept, 'bearsOn'), kept.length),
    firstFromArticle: count(kept, 'isFirstOwn'),
    evidenceQuoted: count(kept, 'quotesEvidence'),
    withoutArticle: removed.length,
    answeredAnyway: count(removed, 'isAnswered'),
    saysHowFar: count(
      removed.filter(({ isAnswered }) => isAnswered),
      'saysMissing',
    ),
  };
}

/** An answer bears on its question where its first citation is the article, or a marked sentence is quoted. */
function judgedOf({ article, evidence }, { isGone, sentences, missing, passages }) {
  const claims = sentences.filter(({ isClaim }) => isClaim);
  const isFirstOwn = citedSource(claims[0], passages) === article;
  const quotesEvidence = claims.some(({ plain, passageIds }) =>
    passages.some(
      (passage) =>
        passageIds.includes(passage.id) &&
        passage.sourceId === article &&
        holdsEvidence(passage, plain, evidence),
    ),
  );
  const bearsOn = isFirstOwn || quotesEvidence;
  const isAnswered = claims.length > 0;
  const told = bearsOn
    ? quotesEvidence
      ? 'quotes a marked sentence'
      : 'opens with the article'
    : 'answered by others';
  return {
    isGone,
    isAnswered,
    isFirstOwn,
    quotesEvidence,
    bearsOn,
    saysMissing: missing !== null,
    verdict: isAnswered ? told : 'not answered',
  };
}

function holdsEvidence({ text, start }, quote, evidence) {
  const place = placeOf(quote, text);
  return place >= 0 && isEvidence({ start: start + place, end: start + place + quote.length }, evidence);
}

/** Where a quote stands, whose white space is folded. */
function placeOf(quote, text) {
  const escaped = quote.split(/\s+/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return text.search(new RegExp(escaped.join('\\s+')));
}
