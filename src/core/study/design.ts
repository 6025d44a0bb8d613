const DESIGN = new RegExp(
  [
    '(?:(?:pragmatic|prospective|parallel(?:[- ]group)?|multi-?cent(?:er|re)|two-arm|three-arm|four-arm|open-label|single-blind(?:ed)?|double-blind(?:ed)?|assessor-blind(?:ed)?|pilot|cluster|factorial|crossover|cross-over|phase \\d|placebo-controlled|community-based),? (?:and )?){0,4}(?:cluster[- ])?randomi[sz]ed,? (?:(?:and |clinical|single-blind(?:ed)?|double-blind(?:ed)?|open-label|parallel(?:[- ]group)?|controlled|placebo[- ]controlled|pilot|comparative|factorial|crossover|cross-over|intervention|clinical|multi-?cent(?:er|re)|feasibility|non-inferiority|equivalence|effectiveness|prospective|exercise),? ){0,5}(?:trial|study|experiment)',
    'randomi[sz]ed,? (?:(?!(?:to|in|into|by|with|and|or|of|from|at|for|were|was|using|this|patients|participants|subjects|controls?)\\b)[\\w-]+,? ){1,5}(?:trial|study)',
    '(?:(?:double-blind(?:ed)?|single-blind(?:ed)?|placebo-controlled|controlled|balanced|counterbalanced),? ){0,3}(?:crossover|cross-over) (?:trial|study|design)',
    'systematic review(?: and meta-analysis)?|meta-analysis|scoping review|literature review|narrative review',
    '(?:(?:prospective|retrospective|population-based|longitudinal|observational),? ){0,2}cohort(?: study)?',
    '(?:prospective |nested |matched )?case-control study|cross-sectional (?:study|survey|analysis)',
    '(?:(?:non-?randomi[sz]ed|quasi-experimental|prospective|placebo-controlled|double-blind(?:ed)?),? ){0,2}(?:controlled|quasi-experimental) (?:clinical |pilot |intervention |before-after )?(?:trial|study)',
    'quasi-experimental (?:study|design|trial)|before-after study|pre-?post study|single-arm (?:trial|study)|prospective (?:observational |intervention )?study|observational study|longitudinal study|feasibility study|pilot (?:study|trial)|case series|case study|cost-(?:effectiveness|utility) (?:analysis|study)|secondary analysis',
  ].join('|'),
  'i',
);
const OTHERS =
  /\b(?:previous|prior|earlier|recent|other|several|many|few|further|future|larger|meta-analys[ie]s of|such as|unlike|part of|within|nested in|included in|data from)\b[^.]{0,50}$/i;

/** The design that a source names for itself, in its own words, or undefined. Title first. */
export function designOf(title: string, sentences: readonly string[]): string | undefined {
  for (const text of [title, ...sentences]) {
    const match = DESIGN.exec(text.replace(/[‐‑]/g, '-'));
    if (!match || OTHERS.test(text.slice(0, match.index))) continue;
    const words = match[0]
      .toLowerCase()
      .replace(/\s+/g, ' ')
      .replace(/,? and$/, '');
    if (/^cohort$|^(?:crossover|cross-over|quasi-experimental) design$/.test(words))
      return words.replace(/^cohort$/, 'cohort study').replace(/design$/, 'study');
    return words;
  }
  return undefined;
}
