import type { Basis, Concept } from './assertion';
import { namesControl, NO_CONCEPT, treatmentConcept } from './concepts';

/** Who was treated how, and against whom, as the words around a predicate tell. */
export interface Arms {
  treated: Concept;
  comparator: Concept;
  basis: Basis;
  /** The arm that the sentence speaks of is the control: what it says holds the other way round for the treatment. */
  swapped: boolean;
}

const COMPARED =
  /\b(?:(?:as |when )?(?:compared|comparison)(?: directly)? (?:with|to|against)|relative to|in comparison (?:with|to)|versus|vs\.?|than(?: (?:in|for|with|after|that of|that in|those in|did|the|among))*|over(?= placebo| control)|as opposed to|but not (?:in|for|with))\s+(?:the |that of |those in |those receiving |a |an )?([^,;]{2,80})/i;
const BETWEEN =
  /\b(?:between|among|across|within) (?:the |both |all |any of the |these |study |two |three |four |different |treatment |intervention )*(?:groups?|arms?|conditions?|treatments?|trials?|interventions?|diets?)\b/i;
const BETWEEN_NAMED =
  /\bbetween (?:the )?([^,;]{2,60}?) and (?:the )?([^,;]{2,60}?)(?= (?:for|in|at|on|after|with respect|regarding|over|during|were|was|did|from)\b|[,;.]|$)/i;
const WITHIN =
  /\b(?:(?:from|over|compared (?:with|to)|versus|relative to|than(?: at)?|between) (?:the )?(?:baseline|pre\b|pre-?\w+|initial|before)|over time|from pre|pre[- ]?(?:to|and)[- ]?post|before and after|within (?:the |each |either |both )?(?:\w+ )?groups?|in both (?:\w+ )?groups|in (?:all|either|the two|the three) (?:\w+ )?groups|time effect|effect of time|in each group|at baseline and)\b/i;
const ARM =
  /\b(?:in|for|within|of|by|from|with|on|among|after|following) (?:the |a |an |those |participants |subjects |patients |individuals |women |men |people |children )*(?:in |receiving |taking |given |on |assigned to |consuming |doing |who (?:received|took|did|performed|consumed|were given) )*(?:the |a |an )?([^,;]{2,70}?)[- ](?:groups?|arms?|conditions?|trials?|programme?|interventions?|supplementation|treatment|therapy|training|exercise|ingestion|consumption|intake|administration|supplements?|diet)\b/i;
/** People name an arm only by what they were given: "in supplemented patients", not "in patients with asthma". */
const TREATED_PEOPLE =
  /\b(?:in|for|of|by|among) (?:the |those |all )?((?:[\p{L}-]+[- ])?(?:treated|supplemented|trained|exercising|receiving|taking|given|consuming)(?: (?:the )?[\p{L}-]+){0,4}?)(?= (?:compared|than|versus|vs|after|at|in)\b|[,;.]|$)/iu;
const BY_MEANS =
  /\b(?:after|following|with|by|through|via|due to|in response to|as a result of|from|on) (?:the |a |an )?((?!baseline|pre\b|placebo|time|mean|age|respect|regard|both|week|no |any |\d|an average)[\p{L}][^,;]{2,50}?)(?= (?:in|for|at|compared|than|relative|versus|vs|among|over|during|was|were|and|on|but|when|by)\b|[,;.]|$)/iu;

/** "patients with asthma": what people have is not what was done. */
const AFFLICTED =
  /\b(?:patients|women|men|children|adults|people|individuals|participants|subjects|adolescents|infants|volunteers|persons|boys|girls)\s+with\b/gi;

export function armsIn(text: string): Arms {
  const compared = COMPARED.exec(text);
  const rest = compared ? text.replace(compared[0], ' ') : text;
  const within =
    WITHIN.test(text) ||
    /\b(?:baseline|pre-?(?:test|treatment|intervention|training|supplementation))\b/i.test(
      compared?.[1] ?? '',
    );
  const named = BETWEEN_NAMED.exec(rest);
  const between = BETWEEN.test(text) || named !== null || (compared !== null && !within);
  const basis: Basis = between ? 'between' : within ? 'within' : 'unstated';
  if (named !== null && !/\bbaseline\b/i.test(named[0])) return betweenNamed(named[1] ?? '', named[2] ?? '');
  const arm = ARM.exec(rest);
  const means = BY_MEANS.exec(rest.replace(AFFLICTED, ' '));
  const armWords = arm?.[0] ?? TREATED_PEOPLE.exec(rest)?.[0] ?? '';
  let treated = treatmentConcept(armWords);
  if (treated.terms.length === 0 && !namesControl(armWords) && means)
    treated = treatmentConcept(means[1] ?? '');
  const other = compared?.[1] ?? '';
  const comparator = within && !between ? NO_CONCEPT : treatmentConcept(other);
  const swapped =
    namesControl(armWords) && treated.terms.length === 0 && other !== '' && !namesControl(other);
  return swapped
    ? { treated: comparator, comparator: treatmentConcept(armWords), basis, swapped }
    : { treated, comparator, basis, swapped: false };
}

function betweenNamed(first: string, second: string): Arms {
  const [treated, other] = namesControl(first) ? [second, first] : [first, second];
  return {
    treated: treatmentConcept(treated),
    comparator: treatmentConcept(other),
    basis: 'between',
    swapped: false,
  };
}
