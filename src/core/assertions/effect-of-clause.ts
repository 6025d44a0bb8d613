import { armsIn } from './adjuncts';
import type { Concept, Effect } from './assertion';
import { partsOf } from './clause-parts';
import { isPreposition, type Clause, type Token } from './clauses';
import { namesControl, treatmentConcept } from './concepts';
import { directionOf, opposite, TREND } from './direction-of';
import { isNegated, mainCue } from './main-cue';
import { outcomesIn } from './outcome-list';
import { textOf } from './phrases';

const TREATED =
  /\b(?:both|between|among|compared|than|versus|vs|relative|intervention|treatment|treated|experimental|and) /i;
const MODAL =
  /\b(?:may|might|could(?! be (?:seen|found|observed|shown|demonstrated|detected|confirmed)| not)|possibly|perhaps|potentially|appear(?:s|ed)? to|seem(?:s|ed)? to|(?<!more |less )likely|promising)\b/i;
/** Boys against girls: people are compared, not treatments, and nothing was done to either. */
const PEOPLE_COMPARED =
  /^(?:the )?(?:girls|boys|males?|females?|men|women|younger|older|children|adolescents)\b/i;

/** What one clause states; null where it states nothing about an outcome. `raw` is the clause with its brackets. */
export function effectOfClause(clause: Clause, masked: string, raw: string): Omit<Effect, 'results'> | null {
  const { lead, body } = withoutLead(clause);
  const choice = mainCue(body, new Set(clause.cues.map((index) => clause.tokens[index])));
  if (choice === null) return null;
  const left = body.slice(0, choice.index);
  const right = body.slice(choice.index + 1);
  const parts = partsOf(choice, left, right, masked);
  const adjuncts = `${textOf(lead, masked)} ; ${parts.adjuncts} ; ${raw.match(/\((?:compared|versus|vs)[^)]*\)/i)?.[0] ?? ''}`;
  const arms = armsIn(`${adjuncts} .`);
  const named = treatmentConcept(parts.agent);
  const agentArms =
    named.terms.length > 0 && /\b(?:group|arm|in|receiving)\b/i.test(parts.agent)
      ? armsIn(`in ${parts.agent} .`)
      : null;
  const treated =
    agentArms !== null && agentArms.treated.terms.length > 0
      ? agentArms.treated
      : named.terms.length > 0
        ? named
        : arms.treated;
  if (PEOPLE_COMPARED.test(arms.comparator.text)) return null;
  const outcomes = outcomesIn(parts.outcome).filter((outcome) => !isTreatment(outcome, treated));
  if (
    treated.terms.length === 0 &&
    arms.comparator.terms.length === 0 &&
    namesControl(parts.agent === '' ? adjuncts : parts.agent) &&
    !TREATED.test(adjuncts)
  )
    return null;
  const negated = isNegated(body, choice, masked);
  const direction = directionOf(choice, body, negated, raw, masked);
  // "The control group had higher values than the treated": the other way round for the treated.
  const ofControl =
    named.terms.length === 0 &&
    namesControl(parts.agent) &&
    !TREATED.test(parts.agent) &&
    arms.comparator.text !== '';
  const whole = textOf(body, masked);
  return {
    direction: ofControl || (arms.swapped && named.terms.length === 0) ? opposite(direction) : direction,
    basis: arms.basis,
    association: choice.part === 'link' || /^(?:association|correlation|relationship)/.test(choice.word),
    tentative: MODAL.test(whole) || TREND.test(whole),
    intervention: ofControl ? arms.comparator : treated,
    comparator: ofControl ? treatmentConcept(parts.agent) : arms.comparator,
    outcomes,
  };
}

/** What was done is no outcome of itself, but its level or intake may be. */
function isTreatment(outcome: Concept, treated: Concept): boolean {
  if (/\b(?:groups?|arms?)$/i.test(outcome.text)) return true;
  return (
    !/\b(?:levels?|concentrations?|intakes?|status|scores?|use|consumption)\b/i.test(outcome.text) &&
    outcome.terms.every((term) => treated.terms.includes(term))
  );
}

/** Takes "After 12 weeks," and "Compared with placebo," from the front. */
function withoutLead(clause: Clause): { lead: readonly Token[]; body: readonly Token[] } {
  if (!isPreposition(clause.tokens[0]) && !/^(?:as|also|moreover)$/.test(clause.tokens[0]?.lower ?? ''))
    return { lead: [], body: clause.tokens };
  const comma = clause.tokens.findIndex(
    (token, index) => token.lower === ',' && index < 30 && clause.cues.some((cue) => cue > index),
  );
  return comma > 0
    ? { lead: clause.tokens.slice(0, comma), body: clause.tokens.slice(comma + 1) }
    : { lead: [], body: clause.tokens };
}
