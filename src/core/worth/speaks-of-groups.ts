/** Sentences that speak only of `the intervention group` or `both groups` leave a reader asking which. */
const GROUPS =
  /\b(?:the |both |all |two |three |either |each )?(?:intervention|experimental|treatment|treated|active|study|test|trial|supplement(?:ed|ation)?|training|exercise|control|placebo|comparison|usual care|standard)?[ -]?(?:groups?|arms?|conditions?|trials?|protocols|regimens?|treatments|interventions?|program(?:me)?s?)\b/i;

export function speaksOfGroups(sentence: string): boolean {
  return GROUPS.test(sentence);
}
