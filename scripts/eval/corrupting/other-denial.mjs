/** Denials as they are taken out, and what is left. */
const TAKEN_OUT = [
  [/\b(did|does|do|was|were|is|are|has|have|had|can|could|may|might|will|would|should) not\b/, '$1'],
  [/\bcannot\b/, 'can'],
  [
    /\b([Nn])o (significant|statistically|clear|major|evidence|relevant|consistent)/,
    (_all, n, word) =>
      word === 'evidence' ? `${n === 'N' ? 'E' : 'e'}vidence` : `${n === 'N' ? 'A' : 'a'} ${word}`,
  ],
  [/\bThere (was|is) no\b/, 'There $1 a'],
  [/\bThere (were|are) no\b/, 'There $1'],
];
/** Where a `not` belongs: behind the first verb that can bear it. */
const BEARING =
  /\b(was|were|is|are|has|have|had|can|could|may|might|will|would|should)\b(?! (?:not|no|only)\b)/;
/** Regular verbs in the past: `increased` is `did not increase`. */
const PAST = /\b(increas|reduc|improv|decreas|caus|produc|induc)ed\b(?= (?:the|in|by|a|an|\p{Ll}+ )\b)/u;
const PRESENT =
  /\b(increase|reduce|improve|decrease|cause|produce|enhance|show|require|provide|suggest|allow)s\b/;

/** The sentence with its denial taken out, or, where it has none, with one put in; null where neither is grammatical. */
export function withOtherDenial(sentence) {
  const denial = TAKEN_OUT.find(([pattern]) => pattern.test(sentence));
  if (denial !== undefined) return sentence.replace(...denial);
  if (/\b(?:not|no|neither|nor|never|without)\b/i.test(sentence)) return null;
  if (BEARING.test(sentence)) return sentence.replace(BEARING, '$1 not');
  if (PAST.test(sentence)) return sentence.replace(PAST, 'did not $1e');
  return PRESENT.test(sentence) ? sentence.replace(PRESENT, 'does not $1') : null;
}
