/** What a sentence says in figures. */
export interface StatisticsCues {
  /** A quantity with a unit, a percentage, a mean with its deviation, a ratio: how much. */
  quantities: number;
  /** Two quantities or more that are set against each other. */
  compares: boolean;
  /** A p-value, a confidence interval, a test statistic, or the word significant. */
  tested: boolean;
  /** A confidence interval or a standard error: how sure. */
  interval: boolean;
}

const QUANTITY =
  /[-−–+]?\d+(?:[.,·]\d+)*\s?(?:%|‰|percent\b|per cent\b|percentage points?\b|kg\b|g\b|mg\b|µg\b|μg\b|mcg\b|kcal\b|kJ\b|MJ\b|mmol\b|nmol\b|pmol\b|µmol\b|μmol\b|mm ?Hg\b|mmHg\b|ml\b|mL\b|dl\b|dL\b|l\b|L\b|cm\b|mm\b|m\b|km\b|min\b|minutes?\b|hours?\b|h\b|s\b|sec(?:onds?)?\b|ms\b|days?\b|points?\b|units?\b|beats\b|bpm\b|steps\b|W\b|watts?\b|N\b|Nm\b|IU\b|ng\b|pg\b|fold\b|-fold\b|times\b|servings?\b|METs?\b|QALYs?\b|years?\b|repetitions?\b|falls?\b|events?\b|cases\b|MB\b|KB\b|GB\b|bytes\b|requests\b)|[€$£]\s?\d[\d.,]*|\d+(?:\.\d+)?\s?(?:±|\+\/-|\(SD)\s?\d*|\b(?:OR|RR|HR|IRR|AOR|ORs|HRs|d|r|β|η2|ES|effect size|odds ratio|hazard ratio|relative risk|risk ratio|rate ratio|mean difference|difference|MD|SMD|Cohen['’]s d)\s?(?:of|was|were|[=:,])?\s?[-−–+]?\d*\.\d+|\b(?:by|from|to|of)\s[-−–+]?\d+(?:\.\d+)?\b/g;
const TIME_ONLY = /(?:min|minutes?|hours?|h|days?|years?|weeks?|months?)$/;
const TESTED =
  /\b[pP](?:[- ]?values?)?(?:\s?for [a-z]+)?\s?(?:[=<>≤≥＜＝]|of|was)\s?0?[.,·]?\d|\bsignifican(?:t|tly|ce)\b|\b95\s?%\s?(?:CI|confidence)|\bCI\b|\bconfidence interval|\b[Ft]\s?\(\d|\bχ2/i;
const INTERVAL = /\b9[059]\s?%\s?(?:CI|confidence)|\bCI\b|confidence interval/i;
const NUMBER = /\d+(?:[.,]\d+)?/g;

export function statisticsCues(sentence: string): StatisticsCues {
  if (!/\d/.test(sentence))
    return { quantities: 0, compares: false, tested: TESTED.test(sentence), interval: false };
  const withoutP = sentence.replace(/\b[pP]\s?[=<>≤≥]\s?0?[.,]?\d+/g, '');
  const found = withoutP.match(QUANTITY) ?? [];
  const measured = found.filter((quantity) => !TIME_ONLY.test(quantity));
  return {
    quantities: measured.length,
    compares: measured.length >= 2 || (measured.length === 1 && (withoutP.match(NUMBER) ?? []).length >= 3),
    tested: TESTED.test(sentence),
    interval: INTERVAL.test(sentence),
  };
}
