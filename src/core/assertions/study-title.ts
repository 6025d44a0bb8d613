import type { Concept } from './assertion';
import { NO_CONCEPT, treatmentConcept } from './concepts';
import { clausesOf } from './clauses';
import { effectOfClause } from './effect-of-clause';
import { maskBrackets, plainText } from './plain-text';

const EFFECT_OF =
  /\b(?:effects?|effectiveness|efficacy|impact|influence|benefits?|role|evaluation|safety|responses?|comparison|acceptability|feasibility) (?:of|to) (?:an? |the |different |two |three |various |acute |chronic |adding |using |combining )*(.+?)(?= (?:on|upon|in|for|among|with regard|during|to (?:improve|reduce|prevent|increase|promote)|over|at|after|as)\b|[:;.?(]|$)/i;
const VERSUS = /^(.+?) (?:versus|vs\.?|compared (?:with|to)) /i;
const PURPOSE =
  /^(?:an? |the )?(.+?)(?= (?:for|to (?:improve|reduce|prevent|increase|promote|treat)|in the (?:treatment|management|prevention)|in|among|on|during|after|before|prevents?|accelerates?|attenuates?|provides?|alters?)\b|[:;(]|$)/i;

const known = new Map<string, Concept>();

/** The intervention that a title names; no terms where it names none. */
export function titleIntervention(title: string): Concept {
  const cached = known.get(title);
  if (cached !== undefined) return cached;
  const concept = parseTitle(plainText(title));
  if (known.size > 5_000) known.clear();
  known.set(title, concept);
  return concept;
}

function parseTitle(title: string): Concept {
  const effectOf = EFFECT_OF.exec(title)?.[1];
  if (effectOf !== undefined) return withoutComparator(effectOf);
  const statement = title.split(/[:?]/)[0] ?? title;
  const masked = maskBrackets(statement);
  const clause = clausesOf(masked)[0];
  const effect = clause === undefined ? null : effectOfClause(clause, masked, statement);
  if (effect !== null && effect.intervention.terms.length > 0) return effect.intervention;
  const versus = VERSUS.exec(statement)?.[1];
  if (versus !== undefined) return treatmentConcept(versus);
  const purpose = PURPOSE.exec(statement)?.[1];
  return purpose === undefined ? NO_CONCEPT : withoutComparator(purpose);
}

function withoutComparator(text: string): Concept {
  return treatmentConcept(text.replace(/ (?:versus|vs\.?|compared (?:with|to)|or|over|than) .*$/i, ''));
}
