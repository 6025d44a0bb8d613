const DESIGN = new RegExp(
  [
    '(?:(?:pragmatic|prospective|parallel(?:[- ]group)?|multi-?cent(?:er|re)|two-arm|three-arm|four-arm|open-label|single-blind(?:ed)?|double-blind(?:ed)?|assessor-blind(?:ed)?|pilot|cluster|factorial|crossover|cross-over|phase \\d|placebo-controlled|community-based),? (?:and )?){0,4}(?:cluster[- ])?randomi[sz]ed,? (?:(?:and |clinical|single-blind(?:ed)?|double-blind(?:ed)?|open-label|parallel(?:[- ]group)?|controlled|placebo[- ]controlled|pilot|comparative|factorial|crossover|cross-over|intervention|clinical|multi-?cent(?:er|re)|feasibility|non-inferiority|equivalence|effectiveness|prospective|exercise),? ){0,5}(?:trial|study|experiment)',
    'randomi[sz]ed,? (?:(?!(?:to|in|into|by|with|and|or|of|from|at|for|were|was|using|this|patients|participants|subjects|controls?)\\b)[\\w-]+,? ){1,5}(?:trial|study)',
    '(?:(?:double-blind(?:ed)?|single-blind(?:ed)?|placebo-controlled|controlled|balanced|counterbalanced),? ){0,3}(?:crossover|cross-over) (?:trial|study|design)',
    'systematic review(?: and meta-analysis)?|meta-analysis|scoping review|literature review|narrative review',
    '(?:(?:prospective|retrospective|population-based|longitudinal|observational),? ){0,2}cohort(?: study)?',
    '(?:prospective |nested |matched )?case-control study|cross-sectional (?:study|survey|analysis)',
    '(?:(?:non-?randomi[sz]ed|quasi-experimental|prospective|placebo-controlled|double-blind(?:ed)?),? ){0,2}(?:controlled|quasi-experimental) (?:clinical |pilot |intervention |before-after )?(?:trial|study)',
    'quasi-experimental (?:study|design|trial)|before-after study|pre-?post(?: design(?:ed)?)? study|(?:single|one)-(?:arm|group)(?:,? pre-?post)?(?: design(?:ed)?)? (?:trial|study)|uncontrolled (?:\\w+ )?(?:trial|study)|prospective (?:observational |intervention )?study|observational study|longitudinal study|feasibility study|pilot (?:study|trial)|case series|case study|cost-(?:effectiveness|utility) (?:analysis|study)|secondary analysis',
  ].join('|'),
  'i',
);
/** Whether a text names the design of a study: the second half of many titles does. */
export function namesDesign(text: string): boolean {
  return DESIGN.test(text.replace(/[‐‑]/g, '-'));
}

const OTHERS =
  /\b(?:previous|prior|earlier|recent|other|several|many|few|further|future|larger|meta-analys[ie]s of|such as|unlike|part of|within|nested in|included in|data from)\b[^.]{0,50}$/i;

/** What a text says of a design is of its own study where it speaks of itself, or of what was done in it. */
const OWN =
  /\b(?:this|our|we|the (?:present|current|study|trial|design))\b|\b(?:was|were) (?:\w+ )?(?:conducted|performed|carried out|undertaken|designed|used|employed|randomi[sz]ed|included|recruited|enrol+ed|allocated|assigned)\b|^\W*(?:an?|design|study design|trial design)\b/i;
const UNCONTROLLED = /\b(?:single-group|one-group|single-arm|uncontrolled|pre-?post|before-and-after)\b/i;
const OF_OTHERS = /review|meta-analysis/i;

/** A study that is called for is not the one that was done. */
const CALLED_FOR = /\b(?:required|needed|warranted|future|planned|definitive|larger?[- ]scale)\b/i;

function isOwn(text: string): boolean {
  return OWN.test(text) && !CALLED_FOR.test(text);
}

/** The design that a source names for itself, in its own words, or undefined. Title first. */
export function designOf(title: string, sentences: readonly string[]): string | undefined {
  const uncontrolled = sentences.find((text) => UNCONTROLLED.test(text));
  for (const text of [title, ...(uncontrolled === undefined ? sentences.filter(isOwn) : [uncontrolled])]) {
    const match = DESIGN.exec(text.replace(/[‐‑]/g, '-'));
    if (!match || OTHERS.test(text.slice(0, match.index))) continue;
    // A study that only draws on others, or was planned from them, often names theirs.
    if (text !== title && OF_OTHERS.test(match[0])) continue;
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
