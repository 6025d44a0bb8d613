import type { Assertion, AssertionContext, Concept, Effect } from './assertion';
import { expandAcronyms } from './acronyms';
import { circumstancesIn, isApartFromEffect, withoutCircumstances } from './circumstances';
import { assertsNothing } from './asserts-nothing';
import { clausesOf } from './clauses';
import { NO_CONCEPT, treatmentConcept } from './concepts';
import { conditionsOf } from './conditions';
import { effectOfClause } from './effect-of-clause';
import { frameOf } from './frame';
import { maskBrackets, plainText } from './plain-text';
import { quantitiesIn, type Quantity } from './quantities';
import { titleIntervention } from './study-title';

const NO_ACRONYMS: ReadonlyMap<string, string> = new Map();
const MAX_CHARS = 1_200;

/** What a sentence asserts; null for headings, questions, aims, hypotheses, opinions and other sentences that assert nothing. */
export function assertionOf(sentence: string, context: AssertionContext = {}): Assertion | null {
  const inFull = (text: string): string => expandAcronyms(text, context.acronyms ?? NO_ACRONYMS);
  const plain = plainText(inFull(sentence));
  if (plain.length > MAX_CHARS || assertsNothing(plain)) return null;
  const quantities = quantitiesIn(plain);
  const circumstances = circumstancesIn(plain);
  // What it does not hold for is denied for itself: "at 6 but not at 12 months" says of 6 months what "at 6 months" does.
  const affirmed = withoutCircumstances(
    plain,
    circumstances.filter(({ bearing }) => bearing === 'not-there'),
  );
  const frame = frameOf(affirmed, affirmed === plain ? quantities : quantitiesIn(affirmed));
  const title = inFull(context.title ?? '');
  const studied = titleIntervention(title);
  const titleTerms = treatmentConcept(title).terms;
  const bare = withoutCircumstances(plain, circumstances.filter(isApartFromEffect));
  const stated = effectsOf(bare, quantities, studied, titleTerms);
  const effects = stated.length > 0 ? stated : effectsOf(plain, quantities, studied, titleTerms);
  if (effects.length === 0 && frame.terms.length < 2) return null;
  return {
    sentence,
    plain,
    effects,
    studied,
    conditions: conditionsOf(plain, quantities, {
      title,
      participants: inFull(context.participants ?? ''),
      duration: context.duration ?? '',
    }),
    circumstances,
    frame,
  };
}

function effectsOf(
  plain: string,
  quantities: readonly Quantity[],
  title: Concept,
  titleTerms: readonly string[],
): Effect[] {
  const masked = maskBrackets(plain);
  const clauses = clausesOf(masked);
  const effects: Effect[] = [];
  clauses.forEach((clause, index) => {
    // The brackets after a clause belong to it, up to the next clause.
    const end = clauses[index + 1]?.start ?? plain.length;
    const effect = effectOfClause(clause, masked, plain.slice(clause.start, end));
    if (effect === null) return;
    if (effect.outcomes.length === 0 || TAKES_UP.test(plain.slice(clause.start))) {
      // "..., but no significant differences were observed" takes back what was said before it.
      if (/\b(?:whereas|while)\W*$/i.test(plain.slice(Math.max(0, clause.start - 12), clause.start))) return;
      const previous = effects.pop();
      if (previous !== undefined)
        effects.push(
          effect.direction === 'none'
            ? {
                ...previous,
                direction: 'none',
                basis: BETWEEN_GROUPS.test(plain.slice(clause.start, end)) ? 'between' : previous.basis,
              }
            : previous,
        );
      return;
    }
    const results = quantities.filter(
      (quantity) =>
        quantity.start >= clause.start &&
        quantity.end <= end &&
        (quantity.role === 'result' || quantity.role === 'ratio'),
    );
    effects.push({ ...effect, results });
  });
  const named = effects.find((effect) => effect.intervention.terms.length > 0);
  return effects.map((effect) => ({
    ...effect,
    intervention: interventionOf(effect.intervention, named?.intervention, title, titleTerms),
  }));
}

/** "…, although this difference was not significant" is about what was said before. */
const TAKES_UP =
  /^(?:this|these|such|the) (?:differences?|changes?|effects?|improvements?|increases?|decreases?|reductions?) (?:was|were|did|is)\b/i;
const BETWEEN_GROUPS = /\bbetween (?:the |both |two )*\w*\s?(?:groups?|arms?|conditions?|treatments?)\b/i;
const COMBINED = /\b(?:and|plus|with|combined|combination|without|or|versus)\b|\+/i;

/**
 * The sentence's own words, else those of a neighbouring clause, else the title's. An arm that the title does not know
 * ("the early group") only means something together with the title's intervention.
 */
function interventionOf(
  own: Concept,
  neighbour: Concept | undefined,
  title: Concept,
  titleTerms: readonly string[],
): Concept {
  const told = own.terms.length > 0 ? own : (neighbour ?? NO_CONCEPT);
  if (told.terms.length === 0) return title;
  const shared = told.terms.filter((term) => titleTerms.includes(term));
  // Of "a supervised, progressive exercise programme" the title's words are what was studied, unless more was given with it.
  if (shared.length > 0) return COMBINED.test(told.text) ? told : { text: told.text, terms: shared };
  if (title.terms.length === 0) return told;
  return { text: title.text, terms: [...new Set([...told.terms, ...title.terms])].sort() };
}
