import { join } from 'node:path';
import { answered, citedSource, openCorpus, readCorpus, type Passage } from '../answering';
import { draw } from '../seeded-draw';
import { countOf, shareOf } from '../figures';
import { isEvidence, studyQuestions, withPlaces, type StudyQuestion } from '../studies';
import { measured, type Suite } from '../suite';

const ASKED = 40;

/**
 * Questions on single articles, made into sentences; of half of them the article is taken away. Each is told on standard error
 * with the answer's first sentence, so that a reader can judge it.
 */
export const answersStudies: Suite = {
  usage: 'answers-studies FOLDER [--questions N --seed S] [--explain ID]',
  options: ['questions', 'seed', 'explain'],
  async measure(call) {
    const { file: folder, questions: most = ASKED, seed, explain, say } = call;
    const sourcesFile = join(folder, 'sources.jsonl');
    const questions = draw(
      withPlaces(studyQuestions(join(folder, 'questions.jsonl'), sourcesFile)),
      most,
      seed,
    );
    const without = new Set(draw(questions, Math.floor(questions.length / 2), seed).map(({ id }) => id));
    const sources = await readCorpus(sourcesFile);
    const gone = new Set(questions.filter(({ id }) => without.has(id)).map(({ article }) => article.id));
    const whole = openCorpus(sources);
    const lacking = openCorpus(sources.filter(({ entry }) => !gone.has(entry.id)));
    return measured(call, {
      items: questions,
      async find(question) {
        const { id, text } = question;
        const isGone = without.has(id);
        const retrieved = await (isGone ? lacking : whole)(text);
        const { sentences, missing, markdown } = await answered(text, retrieved);
        const judged = judgedOf(question, sentences, retrieved.passages);
        if (explain === undefined || explain === id) {
          say(`\n${id} ${isGone ? 'without its article' : 'with its article'}: ${text}`);
          say(`  ${retrieved.answerable.toFixed(2)} ${judged.verdict}`);
          say(explain === undefined ? `  ${sentences[0]?.text ?? '–'}` : markdown);
          if (missing !== null) say(`  missing: ${missing}`);
        }
        return { ...judged, isGone, saysMissing: missing !== null };
      },
      figures(judged) {
        const kept = judged.filter(({ isGone }) => !isGone);
        const removed = judged.filter(({ isGone }) => isGone);
        return {
          n: judged.length,
          withArticle: kept.length,
          answered: countOf(kept, ({ isAnswered }) => isAnswered),
          bearsOn: countOf(kept, ({ bearsOn }) => bearsOn),
          bearsOnShare: shareOf(kept, ({ bearsOn }) => bearsOn),
          firstFromArticle: countOf(kept, ({ isFirstOwn }) => isFirstOwn),
          evidenceQuoted: countOf(kept, ({ quotesEvidence }) => quotesEvidence),
          withoutArticle: removed.length,
          answeredAnyway: countOf(removed, ({ isAnswered }) => isAnswered),
          saysHowFar: countOf(removed, ({ isAnswered, saysMissing }) => isAnswered && saysMissing),
        };
      },
    });
  },
};

type Sentences = Awaited<ReturnType<typeof answered>>['sentences'];

/** An answer bears on its question where its first citation is the article, or a marked sentence is quoted. */
function judgedOf({ article, evidence }: StudyQuestion, sentences: Sentences, passages: readonly Passage[]) {
  const claims = sentences.filter(({ isClaim }) => isClaim);
  const isFirstOwn = citedSource(claims[0], passages) === article.id;
  const quotesEvidence = claims.some(({ plain, passageIds }) =>
    passages.some(
      (passage) =>
        passageIds.includes(passage.id) &&
        passage.sourceId === article.id &&
        holdsEvidence(passage, plain, evidence),
    ),
  );
  const bearsOn = isFirstOwn || quotesEvidence;
  const isAnswered = claims.length > 0;
  const how = quotesEvidence ? 'quotes a marked sentence' : 'opens with the article';
  const verdict = bearsOn ? how : 'answered by others';
  return { isAnswered, isFirstOwn, quotesEvidence, bearsOn, verdict: isAnswered ? verdict : 'not answered' };
}

function holdsEvidence(
  { text, start }: Passage,
  quote: string,
  evidence: StudyQuestion['evidence'],
): boolean {
  const place = placeOf(quote, text);
  return place >= 0 && isEvidence({ start: start + place, end: start + place + quote.length }, evidence);
}

/** Where a quote stands, whose white space is folded. */
function placeOf(quote: string, text: string): number {
  const escaped = quote.split(/\s+/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return text.search(new RegExp(escaped.join('\\s+')));
}
