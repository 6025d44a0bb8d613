import type { AnswerProblem } from '../answers/reading';
import { assertsNothing } from '../grounding/asserts-nothing';
import { echoProblem } from '../grounding/echoes';
import { isEnglish } from '../grounding/grounding';
import { quotedWords } from '../grounding/quoted-words';
import { citationsIn, withoutCitations } from '../markdown/citation-tokens';
import type { ReplyMaterial } from './reply-material';
import { isOfTelling, tellsWhatIsMissing } from './tells-missing';

/**
 * What a sentence is: a claim with what it cites, one that only leads to others, one that lacks its citation, one that says
 * what is missing, or none of these.
 */
export type ReplySentence =
  | { kind: 'claim'; plain: string; passageIds: string[] }
  | { kind: 'connecting'; plain: string }
  | { kind: 'uncited'; plain: string }
  | { kind: 'missing'; plain: string }
  | null;

/** Of the content words of a sentence that cites, so many stand in the passages; an audit says whether it is borne. */
const LEAST_SHARED = 0.3;
/** Of the content words of a sentence that is to get a citation, so many stand there. */
const LEAST_ON_PASSAGES = 0.5;
/** What ends so leads to what follows. */
const LEADS_ON = /:$/;
const FIGURE = /^[\d.,]+$/;

/** Holds a sentence with citation tokens against the passages. A problem says why it may not stand. */
export function checkReplySentence(
  text: string,
  citations: readonly string[][],
  material: ReplyMaterial,
  path: string,
): { sentence: ReplySentence; problems: AnswerProblem[] } {
  const plain = withoutCitations(text);
  const problems: AnswerProblem[] = [];
  const cited = [...new Set(citationsIn(text, citations))];
  const passageIds = cited.flatMap((number) => {
    const id = material.passageOf(number);
    if (id === null) problems.push(unknownPassage(path, `[${number}]`));
    return id === null ? [] : [id];
  });
  const is = (sentence: ReplySentence, ...found: AnswerProblem[]): ReturnType<typeof checkReplySentence> => ({
    sentence,
    problems: [...problems, ...found],
  });
  if (!/[\p{L}\p{N}]/u.test(plain)) return is(null);
  if (tellsWhatIsMissing(plain, { cites: passageIds.length > 0 }))
    return is(...missing(plain, material, path));
  if (material.echoes.isEcho(plain)) return is(null, echoProblem(path, 'a sentence'));
  const problem = wordsProblem(plain, material, path);
  if (problem !== null) return is(null, problem);
  if (passageIds.length > 0) return is({ kind: 'claim', plain, passageIds });
  if (LEADS_ON.test(plain) && !/\d/.test(plain)) return is({ kind: 'connecting', plain });
  const isOnPassages =
    material.grounding.share(plain) >= LEAST_ON_PASSAGES && material.grounding.strangers(plain).length === 0;
  return is(isOnPassages ? { kind: 'uncited', plain } : null, uncited(path, plain));
}

/** What is missing, as it may be told: in words of the question, the conversation and the passages. */
export function missing(
  plain: string,
  material: ReplyMaterial,
  path: string,
): [sentence: ReplySentence, ...problems: AnswerProblem[]] {
  const { asked } = material;
  const isOnQuestion = asked.share(plain, isOfTelling) >= LEAST_SHARED || !asked.isEnglish();
  if (!assertsNothing(plain) && asked.strangers(plain).length === 0 && isOnQuestion)
    return [{ kind: 'missing', plain }];
  return [null, beyondPassages(path, 'neither the question nor the passages speak of this', plain)];
}

/**
 * What no sentence may have: an order, words from an order or from nowhere, quotation marks around other words. Figures are
 * for the audit to judge, which tells of what does not stand.
 */
function wordsProblem(plain: string, material: ReplyMaterial, path: string): AnswerProblem | null {
  const { grounding } = material;
  if (assertsNothing(plain)) return beyondPassages(path, 'it states nothing', plain);
  const strangers = grounding.strangers(plain).filter((stranger) => !FIGURE.test(stranger));
  if (strangers.length > 0)
    return beyondPassages(path, `${strangers.join(', ')} stands in no passage`, plain);
  if (isEnglish(plain) && grounding.isEnglish() && grounding.share(plain) < LEAST_SHARED)
    return beyondPassages(path, 'the passages are not on this', plain);
  const altered = quotedWords(plain).find((quote) => !material.isQuoted(quote));
  return altered === undefined
    ? null
    : {
        path,
        message: `these words are in quotation marks, and no passage has them: "${altered}"`,
        code: 'quote-not-found',
        warning: 'A sentence with a quote that no passage has was not taken.',
      };
}

function beyondPassages(path: string, reason: string, plain: string): AnswerProblem {
  return {
    path,
    message: `${reason}: "${plain}"`,
    code: 'sentence-beyond-passages',
    warning: 'A sentence that is not on what the passages say was not taken.',
  };
}

function uncited(path: string, plain: string): AnswerProblem {
  return {
    path,
    message: `it cites no passage: "${plain}"`,
    code: 'sentence-uncited',
    warning: 'A sentence that states something and cites no passage was left out.',
  };
}

export function unknownPassage(path: string, written: string): AnswerProblem {
  return {
    path,
    message: `${written} is not one of the passages; cite them by their numbers, as [1]`,
    code: 'unknown-passage',
    warning: 'A citation of a passage that was not given was dropped.',
  };
}
