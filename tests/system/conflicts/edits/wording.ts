type Rewording = (sentence: string) => string;

function replace(pattern: RegExp, by: string): Rewording {
  return (sentence) => sentence.replace(pattern, by);
}

/** The one for the other, whichever the sentence has. */
function either(one: string, other: string): Rewording {
  return (sentence) => {
    const [from, to] = new RegExp(`\\b${one}\\b`).test(sentence) ? [one, other] : [other, one];
    return sentence.replace(new RegExp(`\\b${from}\\b`), to);
  };
}

/** Other words, another order, the passive, a rounded figure: what is said stays the same. */
const REWORDINGS: readonly Rewording[] = [
  // After 12 weeks, X rose. → X rose after 12 weeks.
  (sentence) =>
    sentence.replace(
      /^((?:After|At|During|Following|Compared (?:with|to)|In|Over) [^,;()]{3,60}), ([^;]+)\.$/,
      (_whole, lead: string, main: string) =>
        `${main.charAt(0).toUpperCase()}${main.slice(1)} ${lead.charAt(0).toLowerCase()}${lead.slice(1)}.`,
    ),
  // X significantly reduced Y. → Y was significantly reduced by X.
  (sentence) =>
    sentence.replace(
      /^((?:(?!\b(?:and|or|that|which|was|were)\b)[\p{L}\d -]){4,60}) (significantly )?(reduced|increased|improved|lowered|decreased|enhanced) ((?:(?!\b(?:and|but|in|by|with|from|after|compared|than|over|during|at|or)\b)[\p{L}\d -]){3,60})((?: (?:in|by|after|compared|over|during|at) [^;]+)?)\.$/u,
      (_whole, agent: string, adverb: string | undefined, verb: string, object: string, rest: string) =>
        `${object.charAt(0).toUpperCase()}${object.slice(1)} was ${adverb ?? ''}${verb} by ${agent.charAt(0).toLowerCase()}${agent.slice(1)}${rest}.`,
    ),
  replace(
    /\bThere (?:was|were) no (?:statistically )?significant differences? between (.+?) (?:in|for) ([^.;()]+)\.$/,
    'No significant difference in $2 was seen between $1.',
  ),
  replace(
    /\bThere was a significant (increase|decrease|reduction|improvement) in\b/,
    'A significant $1 was observed in',
  ),
  replace(/\bsignificantly (increased|decreased|reduced|improved|lower|higher|greater)\b/, 'markedly $1'),
  replace(/\b(?:when |as )?(?:compared|in comparison) (?:with|to)\b/, 'relative to'),
  either('resulted in', 'led to'),
  replace(/\breduced\b/, 'lowered'),
  replace(/\bdecreased(?= (?:by|from|significantly|after|in|over|during|with)\b)/, 'fell'),
  replace(/\bimproved\b/, 'enhanced'),
  replace(/\bgreater\b/, 'larger'),
  replace(/\bparticipants\b/, 'subjects'),
  either('had no effect on', 'did not affect'),
  replace(/\bfollowing\b/, 'after'),
  replace(/\bdemonstrated\b/, 'showed'),
  replace(/\bobserved\b/, 'seen'),
  replace(/\bsupplementation with ([a-z]+)\b/i, '$1 supplementation'),
  // 12.46% → 12.5%
  (sentence) =>
    sentence.replace(/(?<=\b(?:by|of|was) )(\d+\.\d+)(?= ?%)/, (raw: string) =>
      Number(raw).toFixed(Math.max(0, (raw.split('.')[1]?.length ?? 1) - 1)),
    ),
  either('12 weeks', 'twelve weeks'),
  either('6 months', 'six months'),
];
const LEAST_CHANGES = 2;

/** The same said in other words, in at least two places; null where there is not so much to reword. */
export function reworded(sentence: string): string | null {
  let text = sentence;
  let changes = 0;
  for (const reword of REWORDINGS) {
    const next = reword(text);
    if (next === text) continue;
    text = next;
    changes += 1;
    if (changes === LEAST_CHANGES + 1) break;
  }
  return changes >= LEAST_CHANGES ? text : null;
}
