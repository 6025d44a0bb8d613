import { built } from './built.mjs';
import { draw } from './draw.mjs';
import { plain } from './plain-text.mjs';
import { readRecords } from './read-records.mjs';
import { meanOf, share } from './shares.mjs';

const RECORD = { id: 'text', question: 'text', documents: 'list', gold_answers: 'list' };
const MOST_CHARACTERS = 200;
const NO_ANSWER = 'unknown';

/** Which answers are told of documents that answer differently, and whether one is told where they agree. */
export function conflictsSuite({ file, questions: most, seed }) {
  const records = draw(readRecords(file, RECORD), most, seed);
  const judged = records.map((record) => judgedOf(record, viewpointTexts(record)));
  const agreeing = judged.filter(({ agree }) => agree);
  const sum = (key) => judged.reduce((total, entry) => total + entry[key], 0);
  const [rightViewpoints, viewpoints] = [sum('right'), sum('viewpoints')];
  const falseAlarms = agreeing.filter((entry) => entry.viewpoints > 1).length;
  return {
    n: records.length,
    goldRecall: meanOf(judged.map((entry) => entry.found / Math.max(1, entry.gold))),
    viewpointPrecision: share(rightViewpoints, viewpoints),
    falseAlarms: share(falseAlarms, agreeing.length),
    counts: {
      goldFound: sum('found'),
      gold: sum('gold'),
      rightViewpoints,
      viewpoints,
      falseAlarms,
      agreeing: agreeing.length,
    },
  };
}

function viewpointTexts({ question, documents }) {
  const { sentencesOfSource } = built('reading/collection/read-source.js');
  const { readQuestion } = built('reading/question/question.js');
  const { clippedAround, findViewpoints } = built('reading/viewpoints.js');
  const sources = documents
    .filter(({ text }) => text.trim() !== '')
    .map(({ text }, at) => ({
      id: `document-${at}`,
      title: '',
      sentences: sentencesOfSource(text).map((sentence) => sentence.text),
    }));
  return findViewpoints(readQuestion(question), sources).map(({ sentence, answer }) =>
    clippedAround(sentence, answer, MOST_CHARACTERS),
  );
}

function judgedOf({ documents, gold_answers: answers }, texts) {
  const gold = answers.map(plain);
  const views = texts.map(plain);
  const given = documents.map(({ answer }) => answer).filter((answer) => answer !== NO_ANSWER);
  return {
    gold: gold.length,
    found: gold.filter((answer) => views.some((view) => view.includes(answer))).length,
    viewpoints: views.length,
    right: views.filter((view) => gold.some((answer) => view.includes(answer))).length,
    agree: new Set(given.map(plain)).size <= 1,
  };
}
