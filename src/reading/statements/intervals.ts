/** Without an effect a ratio is 1, a difference 0. */
const RATIO = /\b(?:[ai]?OR|[ai]?RR|a?HR|IRR|(?:odds|risk|rate|hazard|prevalence) ratios?|relative risk)\b/i;
const DIFFERENCE = /\b(?:difference|MD|WMD|SMD|effect size)\b/i;
/** So many characters before an interval its measure is named. */
const NAMED_WITHIN = 60;
const NUMBER = String.raw`[−–-]?\d+(?:[.·]\d+)?`;
const INTERVAL = new RegExp(
  String.raw`95\s?%\s?(?:CI|confidence interval)\s*[:=,]?\s*[([]?\s*(${NUMBER})\s?%?\s*(?:to|,|;|–|-)\s*(${NUMBER})`,
  'gi',
);

/** Whether each 95 % confidence interval of a ratio or of a difference that a text gives leaves out that there is no effect. */
export function intervalsIn(text: string): { isSignificant: boolean }[] {
  return [...text.matchAll(INTERVAL)].flatMap(({ 1: low = '', 2: high = '', index }) => {
    const measure = text.slice(Math.max(0, index - NAMED_WITHIN), index);
    const none = RATIO.test(measure) ? 1 : DIFFERENCE.test(measure) ? 0 : null;
    if (none === null) return [];
    const [from, to] = [low, high].map(valueOf);
    return from === undefined || to === undefined || from > to
      ? []
      : [{ isSignificant: from > none || to < none }];
  });
}

function valueOf(number: string): number {
  return Number(number.replace(/^[−–]/, '-').replace('·', '.'));
}
