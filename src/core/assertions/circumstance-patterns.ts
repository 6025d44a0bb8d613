/**
 * How a statement stands to a circumstance. `whatever`: it holds whatever that is. `depending`: it holds or not, as that
 * is. `adjusted` and `unadjusted`: it holds, or holds no more, once that is accounted for. `not-there`: it does not hold
 * there. `only-there` and `not-only-there`: there and nowhere else, there and elsewhere. The others only place it.
 */
export type Bearing =
  | 'whatever'
  | 'depending'
  | 'adjusted'
  | 'unadjusted'
  | 'not-there'
  | 'only-there'
  | 'not-only-there'
  | 'before'
  | 'after'
  | 'with'
  | 'without';

/** Up to where a phrase goes on: no further than a comma, a verb or a contrast. */
const PHRASE =
  '(?:(?!\\b(?:but|whereas|while|although|however|which|who|was|were|is|are|did|does|had|has|have|suggesting|indicating|compared|than)\\b)(?:[^,;:.()]|\\.(?=\\d))){2,90}';
/** The same, and not into the next place: "but not in women", and "at 12 months" no more. */
const PLACED =
  '(?:(?!\\b(?:but|whereas|while|although|however|which|who|was|were|is|are|did|does|had|has|have|suggesting|indicating|compared|than|in|at|on|for|before|after|during|following|from|by|over)\\b)(?:[^,;:.()]|\\.(?=\\d))){2,70}';
const WHETHER = '(?:whether(?: or not)?|which|what|how|who) (?:[^,;:.()]|\\.(?=\\d)){2,70}';
const PLACE =
  'in|at|on|after|before|during|following|with|without|within|under|by|for|among|when|where|if|over|from|of|to';
/** No further than the next preposition. */
const SHORT = `(?:(?!(?:${PLACE}|and|or|but|was|were|is|are|than|compared|as)\\b)[\\p{L}\\d-]+ ?){1,4}`;
/** What people have tells them apart; it is no circumstance. */
const PEOPLE =
  '(?:patients|women|men|children|adults|people|individuals|participants|subjects|adolescents|infants|volunteers|persons|boys|girls|those|mothers)';
const ACCOUNTING =
  '(?:(?:further|additional|full|multivariable|statistical) )?(?:adjust(?:ing|ments?)|controlling|correct(?:ing|ions?)|accounting|allowing)(?: (?:was|were) made)? for';

/** What one pattern has taken, no later one takes again. */
export const CIRCUMSTANCES: readonly (readonly [Bearing, RegExp])[] = [
  [
    'unadjusted',
    new RegExp(
      `\\b(?:(?:only )?before,? but not after|but (?:not|no longer) (?:after|when|on)|only (?:before|without)|(?:disappeared|vanished|was lost|were lost|did not (?:persist|remain(?: significant)?|hold)|was no longer (?:seen|present|significant)|lost significance) (?:after|when|on)),? ${ACCOUNTING} ${PHRASE}`,
      'gi',
    ),
  ],
  [
    'adjusted',
    new RegExp(
      `\\b(?:(?:even|also|and|remained|persisted|was maintained|held) )?(?:after|when|on|upon|following|with) ${ACCOUNTING} ${PHRASE}`,
      'gi',
    ),
  ],
  [
    'depending',
    new RegExp(
      `\\b(?:only (?:with|in the presence of)|(?:with|in the presence of)(?:, | )but not (?:without|in the absence of)|but not (?:without|in the absence of)) ${PHRASE}`,
      'gi',
    ),
  ],
  [
    'whatever',
    new RegExp(
      `\\b(?:(?:also |even )?independent(?:ly)? (?:of|from)|(?:regardless|irrespective(?:ly)?) of|no matter|(?:both )?with (?:or|and) without|(?<!\\b(?:up)?on )whether or not|(?:even|also|not only with, but also) (?:without|in the absence of)|(?:(?:did|does|do) not depend|(?:was|were|is|are) not dependent|not depending) (?:up)?on|(?:was|were|is|are) not (?:explained|mediated|accounted for|conditioned) by) (?:${WHETHER}|${PHRASE})`,
      'gi',
    ),
  ],
  [
    'depending',
    new RegExp(
      `\\b(?:(?:strongly |largely |partly |fully )?dependent (?:up)?on|depend(?:s|ed|ing)? (?:(?:strongly|largely|partly|entirely) )?(?:up)?on|conditional (?:up)?on|contingent (?:up)?on|var(?:ied|ies|ying) (?:with|by|according to)|(?:was|were|is|are) (?:fully |largely |entirely |partly )?(?:explained|mediated|accounted for) by) (?:${WHETHER}|${PHRASE})`,
      'gi',
    ),
  ],
  // "during but not after exercise", "at rest but not during exercise"
  ['not-there', new RegExp(`(?:\\bbut|\\band|,) not,? (?:${PLACE}),? ${PLACED}`, 'gi')],
  [
    'not-there',
    new RegExp(
      `\\bbut not,? (?!(?:statistically |formally |always |necessarily |quite |so )*(?:significan|to\\b|reach|attain|much))${PLACED}`,
      'gi',
    ),
  ],
  ['not-only-there', new RegExp(`\\bnot (?:only|just|merely) (?:${PLACE}) ${PLACED}`, 'gi')],
  ['only-there', new RegExp(`(?<!\\bnot )\\b(?:only|solely|exclusively) (?:${PLACE}) ${PLACED}`, 'gi')],
  ['not-only-there', new RegExp(`\\bnot (?:only|just|merely) ${PLACED}`, 'gi')],
  ['only-there', new RegExp(`(?<!\\bnot )\\bonly ${PLACED}`, 'gi')],
  ['before', new RegExp(`\\b(?:before|prior to|preceding) ${SHORT}`, 'giu')],
  ['after', new RegExp(`\\b(?:after|following) ${SHORT}`, 'giu')],
  ['without', new RegExp(`(?<!${PEOPLE} )\\b(?:without|in the absence of) ${SHORT}`, 'giu')],
  ['with', new RegExp(`(?<!${PEOPLE} |compared )\\b(?:with|in the presence of) ${SHORT}`, 'giu')],
];
