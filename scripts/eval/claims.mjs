// What words alone tell of a claim beside what it cites: close, certainly wrong, or nothing.
import { built } from './built.mjs';
import { draw } from './draw.mjs';
import { readRecords } from './read-records.mjs';
import { share } from './shares.mjs';

/** Labels of claims that their references bear; the others are borne in part or not. */
const BORNE = ['attributable', 'supported'];

/** Each line has a `claim`, a `label`, and its `references` or `evidence` as a list of texts. */
export function claimsSuite({ file, questions: most, seed }) {
  const judge = judging();
  const records = draw(readRecords(file, { claim: 'text', label: 'text' }), most, seed);
  const judged = records.map(({ claim, label, references, evidence }) => ({
    isBorne: BORNE.includes(label),
    verdict: judge(claim, references ?? evidence ?? []),
  }));
  const borne = judged.filter(({ isBorne }) => isBorne);
  const close = judged.filter(({ verdict }) => verdict === 'close');
  const wrong = judged.filter(({ verdict }) => verdict === 'certainly-wrong');
  return {
    n: judged.length,
    close: share(close.length, judged.length),
    closeBorne: share(close.filter(({ isBorne }) => isBorne).length, close.length),
    certainlyWrong: share(wrong.length, judged.length),
    wrongNotBorne: share(wrong.filter(({ isBorne }) => !isBorne).length, wrong.length),
    borneCalledWrong: share(
      borne.filter(({ verdict }) => verdict === 'certainly-wrong').length,
      borne.length,
    ),
    counts: { borne: borne.length, close: close.length, certainlyWrong: wrong.length },
  };
}

function judging() {
  const { judgeSentence } = built('verification/judge-sentence.js');
  return (claim, passages) => judgeSentence(claim, { passages, attribution: [], numbersFrom: [] }).verdict;
}
