// What words alone tell of a claim beside what it cites: close, certainly wrong, or nothing.
import { built } from './built.mjs';
import { draw } from './draw.mjs';
import { corrupted } from './corrupt-sentence.mjs';
import { readRecords } from './read-records.mjs';
import { share } from './shares.mjs';

/** Sentences that doctors marked in articles, as they stand and with one thing exchanged, against what was marked. */
export function corruptedClaimsSuite({ questionsFile, questions: most, seed }) {
  const { splitSentences } = built('language/sentences.js');
  const judge = judging();
  const records = draw(readRecords(questionsFile, { evidence: 'list' }), most, seed);
  const passages = [...new Set(records.flatMap(({ evidence }) => evidence.map(({ text }) => text)))];
  const kinds = { true: [], number: [], direction: [], negation: [], name: [] };
  for (const passage of passages) {
    for (const { text } of splitSentences(passage)) {
      if (text.split(/\s+/).length < 8) continue;
      kinds.true.push(judge(text, [passage]));
      for (const [kind, claim] of corrupted(text)) kinds[kind].push(judge(claim, [passage]));
    }
  }
  const shareOf = (kind, verdict) =>
    share(kinds[kind].filter((one) => one === verdict).length, kinds[kind].length);
  const exchanged = Object.entries(kinds).flatMap(([kind, verdicts]) => (kind === 'true' ? [] : verdicts));
  return {
    n: passages.length,
    trueClose: shareOf('true', 'close'),
    trueCalledWrong: shareOf('true', 'certainly-wrong'),
    caughtNumber: shareOf('number', 'certainly-wrong'),
    caughtDirection: shareOf('direction', 'certainly-wrong'),
    caughtNegation: shareOf('negation', 'certainly-wrong'),
    caughtName: shareOf('name', 'certainly-wrong'),
    passedAny: share(exchanged.filter((verdict) => verdict === 'close').length, exchanged.length),
    counts: Object.fromEntries(Object.entries(kinds).map(([kind, verdicts]) => [kind, verdicts.length])),
  };
}

function judging() {
  const { judgeSentence } = built('verification/judge-sentence.js');
  return (claim, passages) => judgeSentence(claim, { passages, attribution: [], numbersFrom: [] }).verdict;
}
