/** What kind of answer a question wants. */
export type Ask =
  | 'how-much'
  | 'which'
  | 'compare'
  | 'duration'
  | 'when'
  | 'why'
  | 'how'
  | 'safety'
  | 'cost'
  | 'for-whom'
  | 'whether';

const SIGNS: readonly { ask: Ask; sign: RegExp }[] = [
  {
    ask: 'how-much',
    sign: /\bhow (?:much|many|large|big|great|strong|fast)\b|\bto what extent\b|\bwhat (?:percentage|proportion|share|number)\b|\bmagnitude\b|\beffect size/i,
  },
  {
    ask: 'compare',
    sign: /\bcompar|\bversus\b|\bvs\b|\bthan\b|\bdiffer|\bbest\b|\bmost effective\b|\bbetter\b|\bworse\b/i,
  },
  { ask: 'duration', sign: /\bhow long\b|\blong[- ]term\b|\blast(?:ing)?\b|\bsustain|\bdurab/i },
  { ask: 'when', sign: /\bwhen\b|\bhow (?:soon|often)\b|\bwhat (?:year|date|time)\b/i },
  { ask: 'why', sign: /\bwhy\b|\bmechanism|\bhow (?:does|do) .+ work\b|\bexplain|\breasons?\b/i },
  {
    ask: 'safety',
    sign: /\bsafe(?:ty|ly)?\b|\bharm|\bside[- ]effects?\b|\badverse\b|\bdanger|\btolera|\bvulnerab/i,
  },
  { ask: 'cost', sign: /\bcosts?\b|\bcost-|\bprices?\b|\bafford|\beconomic|\bexpens/i },
  { ask: 'for-whom', sign: /\bwhom?\b|\bwhich (?:patients|people|groups?|populations?|users?)\b|\bwhose\b/i },
  { ask: 'which', sign: /\bwhich\b|\bwhat\b/i },
  { ask: 'how', sign: /^(?:and )?how (?:do|does|did|can|could|should|is|are|to)\b/i },
  {
    ask: 'whether',
    sign: /^(?:and )?(?:does|do|did|is|are|was|were|can|could|should|will|would|has|have)\b/i,
  },
];

/** The kinds of answer that a part of a question wants, in a fixed order. */
export function asksOf(part: string): Ask[] {
  return SIGNS.filter(({ sign }) => sign.test(part)).map(({ ask }) => ask);
}
