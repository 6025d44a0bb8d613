/** Other people in place of those who were studied; the first that a text names decides. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:postmenopausal|pregnant|older|elderly|young|obese|overweight|healthy|sedentary|lactating) women\b/gi,
    'elite male cyclists',
  ],
  [
    /(?<![-/])\b(?:older|elderly|young|obese|overweight|healthy|sedentary|trained|untrained) men\b/gi,
    'pregnant women',
  ],
  [/\b(?:pre)?school ?children\b|\bschoolchildren\b|\bchildren\b/gi, 'older adults'],
  [/\badolescents\b|\badolescent girls\b|\bstudents\b/gi, 'nursing home residents'],
  [/\binfants\b|\bnewborns\b/gi, 'adults'],
  [
    /\b(?:older|elderly) (?:adults|people|persons|individuals|subjects|participants|patients)\b|\bthe elderly\b|\bseniors\b/gi,
    'preschool children',
  ],
  [
    /(?<![-/])\b(?:normal )?(?:healthy|young|sedentary|overweight|obese|overweight or obese|overweight and obese|active|trained|untrained|middle-aged|community-dwelling)(?:,? (?:healthy|young|sedentary|overweight|obese|active|trained|untrained|and))* (?:adults|subjects|volunteers|participants|individuals|people|persons)\b/gi,
    'children with cystic fibrosis',
  ],
  [
    /\b(patients|people|adults|individuals|subjects|participants|women|men) with (?:the )?[a-z0-9][\w' -]*?(?= (?:was|were|is|are|had|has|in|on|after|compared|than|at|from|over|during|for|by|did|show|showed|who|receiving|treated|reduces?d?|improves?d?)\b|\s*[,.;:()]|$)/gi,
    '$1 with multiple sclerosis',
  ],
  [
    /\b(?:diabetic|hemodialysis|cancer|COPD|hypertensive|asthmatic|critically ill) patients\b/gi,
    'patients with rheumatoid arthritis',
  ],
  [
    /(?<![-/])\b(?:type 2 diabetics|diabetics|athletes|runners|cyclists|swimmers)\b/gi,
    'heart transplant recipients',
  ],
  [/\bwomen\b/gi, 'men'],
  [/\bmen\b/gi, 'women'],
  [/\bgirls\b/gi, 'boys'],
  [/\bboys\b/gi, 'girls'],
  [/\b(?:rats|mice)\b/gi, 'healthy volunteers'],
];
/** A sentence that holds people against each other is not about one group of them. */
const COMPARES =
  /\b(?:men and women|women and men|boys and girls|girls and boys|males and females|sexes|than (?:in )?(?:men|women|boys|girls|children)|(?:and|or|as well as) (?:in )?(?:healthy|patients|adults|children|women|men|adolescents)|(?:healthy|patients|adults|children|women|men|adolescents) (?:and|or))\b/i;

/** What tells the people of a text apart, replaced wherever they are named; null where the text names none in particular. */
export function otherPeople(text: string): ((text: string) => string) | null {
  if (COMPARES.test(text)) return null;
  const found = OTHERS.find(([pattern]) => {
    pattern.lastIndex = 0;
    return pattern.test(text);
  });
  if (found === undefined) return null;
  const [pattern, others] = found;
  return (where) => where.replace(pattern, others);
}
