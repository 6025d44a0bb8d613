import { isEnglish } from '../../../language/is-english';
import type { AnswerProblem } from '../answers/reading';
import { asksWithin } from '../grounding/asks-within';
import { assertsNothing } from '../grounding/asserts-nothing';
import { withoutAlteredQuotes } from '../grounding/quoted-words';
import { citationsIn, withoutCitations } from '../markdown/citation-tokens';
import type { CitedMaterial } from './cited-material';

/**
 * What a sentence is: a claim with what it cites, one that only leads to others, one that states something and cites nothing, or
 * one that says what is missing.
 */
export type ReadSentence =
  | {
      kind: 'claim' | 'connecting';
      /** With citation tokens. */
      text: string;
      plain: string;
      ids: string[];
      findingIds: string[];
      standing: 'close' | 'undecided';
    }
  | { kind: 'uncited' | 'missing'; plain: string };

/** Of the content words of a sentence that cites, so many stand in what sources say: it is on what they are on. */
const LEAST_ON_MATERIAL = 0.3;
/** A model's own remarks on confidence; the findings have theirs. */
const CONFIDENCE =
  /\s*\((?:[^()]*\b)?(?:very )?(?:high|medium|moderate|low)[ -]confidence[^()]*\)|\s*\(confidence:?[^()]*\)/gi;

/**
 * Reads a sentence of a model. Whether it is true is for the audit to say; what is taken out here is what states nothing of the
 * material: an order or words of one, what the prompt says, what is not there to be cited. A problem says why.
 */
export function checkSentence(
  written: string,
  citations: readonly string[][],
  material: CitedMaterial,
  path: string,
): { sentence: ReadSentence | null; problems: AnswerProblem[] } {
  const text = withoutAlteredQuotes(written.replace(CONFIDENCE, ''), (quote) => material.isQuoted(quote));
  const plain = withoutCitations(text);
  const names = [...new Set(citationsIn(text, citations))];
  const problems = names
    .filter((name) => material.idsOf(name).length === 0)
    .map((name) => unknownCitation(path, name, material));
  const ids = [...new Set(names.flatMap((name) => material.idsOf(name)))];
  const is = (
    sentence: ReadSentence | null,
    ...found: AnswerProblem[]
  ): ReturnType<typeof checkSentence> => ({
    sentence,
    problems: [...problems, ...found],
  });
  if (!/[\p{L}\p{N}]/u.test(plain)) return is(null);
  if (material.missing?.isTold(plain, { cites: ids.length > 0 }) === true)
    return is(...readMissing(plain, material, path));
  const { grounding } = material;
  const ordered = grounding.ordered(plain);
  if (ordered.length > 0)
    return is(null, refused(path, `${ordered.join(', ')} stands only in an order`, plain, material));
  if (assertsNothing(plain) || asksWithin(plain))
    return is(null, refused(path, 'it states nothing', plain, material));
  const { said } = material;
  if (isEnglish(plain) && said.isEnglish() && said.share(plain) < LEAST_ON_MATERIAL)
    return is(null, refused(path, `the ${material.cites}s are not on this`, plain, material));
  if (ids.length > 0) {
    const { findingIds, isClose } = material.restsOn(plain, ids);
    const standing = isClose ? 'close' : 'undecided';
    return is({ kind: 'claim', text, plain, ids, findingIds, standing });
  }
  const standing = names.length > 0 ? null : material.connects(plain);
  if (standing !== null) return is({ kind: 'connecting', text, plain, ids, findingIds: [], standing });
  const isOnMaterial =
    grounding.share(plain) >= material.leastOfUncited && grounding.strangers(plain).length === 0;
  return is(isOnMaterial ? { kind: 'uncited', plain } : null, uncited(path, plain, material));
}

export function readMissing(
  plain: string,
  material: CitedMaterial,
  path: string,
): [sentence: ReadSentence | null, ...problems: AnswerProblem[]] {
  return !assertsNothing(plain) && material.missing?.mayBeTold(plain) === true
    ? [{ kind: 'missing', plain }]
    : [null, refused(path, `neither the question nor the ${material.cites}s speak of this`, plain, material)];
}

function refused(path: string, reason: string, plain: string, { cites }: CitedMaterial): AnswerProblem {
  return {
    path,
    message: `${reason}: "${plain}"`,
    code: 'sentence-beyond-material',
    warning: `A sentence that is not on what the ${cites}s say was not taken.`,
  };
}

function uncited(path: string, plain: string, { cites }: CitedMaterial): AnswerProblem {
  return {
    path,
    message: `it cites no ${cites}: "${plain}"`,
    code: 'sentence-uncited',
    warning: `A sentence that states something and cites no ${cites} was left out.`,
  };
}

export function unknownCitation(path: string, written: string, material: CitedMaterial): AnswerProblem {
  const { cites } = material;
  const example = cites === 'source' ? 'as [S1]' : 'by their numbers, as [1]';
  const name = /^\d+$/.test(written) ? `[${written}]` : written;
  return {
    path,
    message: `${name} is not one of the ${cites}s; cite them ${example}`,
    code: `unknown-${cites}`,
    warning: material.unknownWarning?.(written) ?? `A citation of a ${cites} that was not given was dropped.`,
  };
}
