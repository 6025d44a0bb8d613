/** Words that stand for their contrary in results of studies. */
const CONTRARIES = [
  ['increased', 'decreased'],
  ['increase', 'decrease'],
  ['higher', 'lower'],
  ['greater', 'smaller'],
  ['improved', 'worsened'],
  ['reduction', 'increase'],
  ['reduced', 'increased'],
  ['more', 'less'],
];
const DENIALS = [
  [/\bdid not\b/, 'did'],
  [/\bwas not\b/, 'was'],
  [/\bwere not\b/, 'were'],
  [/\bno significant\b/i, 'a significant'],
  [/\b(was|were|had|did)\b(?! not\b)/, '$1 not'],
];

/** The sentence with one thing exchanged, in each way that it allows: a number, a direction, a denial, a name. */
export function corrupted(sentence) {
  return [
    ['number', withOtherNumber(sentence)],
    ['direction', withContrary(sentence)],
    ['negation', withOtherDenial(sentence)],
    ['name', withOtherName(sentence)],
  ].filter(([, claim]) => claim !== null && claim !== sentence);
}

function withOtherNumber(sentence) {
  const match = /(?<![\p{L}\d.-])\d{2,}(?:\.\d+)?(?![\d-])/u.exec(sentence);
  if (match === null) return null;
  const other = `${Number(match[0][0]) === 7 ? 3 : 7}${match[0].slice(1)}`;
  return sentence.slice(0, match.index) + other + sentence.slice(match.index + match[0].length);
}

function withContrary(sentence) {
  for (const pair of [...CONTRARIES, ...CONTRARIES.map(([one, other]) => [other, one])]) {
    const word = new RegExp(`\\b${pair[0]}\\b`);
    if (word.test(sentence)) return sentence.replace(word, pair[1]);
  }
  return null;
}

function withOtherDenial(sentence) {
  const found = DENIALS.find(([pattern]) => pattern.test(sentence));
  return found === undefined ? null : sentence.replace(...found);
}

/** A name in capitals within the sentence. */
function withOtherName(sentence) {
  const match = /(?<=[\p{Ll},] )\p{Lu}{2,5}(?![\p{L}\d-])/u.exec(sentence);
  if (match === null || ['CI', 'SD', 'SE', 'SEM', 'OR', 'RR', 'HR', 'IQR'].includes(match[0])) return null;
  return sentence.slice(0, match.index) + 'QXR' + sentence.slice(match.index + match[0].length);
}
