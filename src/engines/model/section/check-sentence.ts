import type { AnswerProblem } from '../answers/reading';
import { assertsNothing } from '../grounding/asserts-nothing';
import { echoProblem } from '../grounding/echoes';
import { quotedWords } from '../grounding/quoted-words';
import { citationsIn, withoutCitations } from '../markdown/citation-tokens';
import type { SectionMaterial } from './section-material';

/** A sentence that may stand, with what it cites and tells of. */
export interface CheckedSentence {
  /** With citation tokens. */
  text: string;
  plain: string;
  sourceIds: string[];
  findingIds: string[];
  standing: 'close' | 'confirmed' | 'undecided';
}

/** What became of a sentence: it may stand, a finding says it in its own words, it lacks a citation, or none of these. */
export type SentenceOutcome =
  | CheckedSentence
  | { standing: 'own-words'; findingId: string }
  | { standing: 'uncited'; plain: string }
  | null;

const UNCITED = 'sentence-uncited';
/** Of the content words of a sentence that cites nothing, so many stand in the material. */
const LEAST_CONNECTED = 0.5;
/** Of the content words of a sentence with a figure from nowhere, so many stand in the material where it is on the findings. */
const LEAST_ON_FINDINGS = 0.8;
/** A model's own remarks on confidence; the findings have theirs. */
const CONFIDENCE =
  /\s*\((?:[^()]*\b)?(?:very )?(?:high|medium|moderate|low)[ -]confidence[^()]*\)|\s*\(confidence:?[^()]*\)/gi;

/** Holds a sentence against the material. A problem says why it may not stand. */
export function checkSentence(
  written: string,
  citations: readonly string[][],
  material: SectionMaterial,
  path: string,
): { outcome: SentenceOutcome; problems: AnswerProblem[] } {
  const text = written.replace(CONFIDENCE, '');
  const plain = withoutCitations(text);
  const problems: AnswerProblem[] = [];
  const sourceIds = [
    ...new Set(
      citationsIn(text, citations).flatMap((shortId) => {
        const ids = material.sourcesOf(shortId);
        if (ids.length === 0) problems.push(unknownCitation(path, shortId, material));
        return ids;
      }),
    ),
  ];
  if (!/[\p{L}\p{N}]/u.test(plain)) return { outcome: null, problems };
  if (material.echoes.isEcho(plain))
    return { outcome: null, problems: [...problems, echoProblem(path, 'a sentence')] };
  const cites = citationsIn(text, citations).length > 0;
  if (sourceIds.length === 0) {
    const problem = cites ? uncited(path, plain) : connectingProblem(plain, material, path);
    if (problem !== null) {
      const outcome =
        problem.code === UNCITED && isOnFindings(plain, material, path)
          ? { standing: 'uncited' as const, plain }
          : null;
      return { outcome, problems: [...problems, problem] };
    }
    const standing = material.isClose(plain) ? 'close' : 'undecided';
    return { outcome: { text, plain, sourceIds: [], findingIds: [], standing }, problems };
  }
  const backing = material.backing(plain, sourceIds);
  if (backing === null) {
    const reason = 'no finding of the sources it cites says this';
    return { outcome: null, problems: [...problems, beyondFindings(path, reason, plain)] };
  }
  const problem = wordsProblem(plain, material, path, { cites: true });
  if (problem !== null) {
    const [findingId] = backing.findingIds;
    const outcome = findingId === undefined ? null : { standing: 'own-words' as const, findingId };
    return { outcome, problems: [...problems, problem] };
  }
  if (backing.sourceIds.length < sourceIds.length) {
    problems.push({
      path,
      message: `not every source that it cites has a finding that says this: "${plain}"`,
      code: 'citation-without-finding',
      warning: 'A citation of a source that does not say what the sentence says was dropped.',
    });
  }
  const { verdict: standing, findingIds } = backing;
  return { outcome: { text, plain, sourceIds: backing.sourceIds, findingIds, standing }, problems };
}

/** Whether a sentence that lacks its citation is one on the findings, which its next attempt may cite. */
function isOnFindings(plain: string, material: SectionMaterial, path: string): boolean {
  const isHeld = wordsProblem(plain, material, path, { cites: false }) === null;
  return isHeld && !assertsNothing(plain) && material.grounding.share(plain) === 1;
}

/** Whether a sentence that cites nothing connects others: it keeps to the material and gives no number. */
function connectingProblem(plain: string, material: SectionMaterial, path: string): AnswerProblem | null {
  const problem = wordsProblem(plain, material, path, { cites: false });
  if (problem !== null) return problem;
  const connects = material.grounding.share(plain) >= LEAST_CONNECTED && !/\d/.test(plain);
  return connects ? null : uncited(path, plain);
}

/**
 * What no sentence may have: words and figures from nowhere or from an order, quotation marks around other words. Whether a
 * figure is right is for the audit to say, where the sentence is on what its sources say.
 */
function wordsProblem(
  plain: string,
  material: SectionMaterial,
  path: string,
  { cites }: { cites: boolean },
): AnswerProblem | null {
  const mayHaveFigures =
    cites && !assertsNothing(plain) && material.grounding.share(plain) >= LEAST_ON_FINDINGS;
  const strangers = material.grounding
    .strangers(plain)
    .filter((stranger) => !mayHaveFigures || !/^[\d.,]+$/.test(stranger));
  if (strangers.length > 0) {
    return beyondFindings(path, `${strangers.join(', ')} stands in no finding`, plain);
  }
  const altered = quotedWords(plain).find((quote) => !material.isQuoted(quote));
  return altered === undefined
    ? null
    : {
        path,
        message: `these words are in quotation marks, and no source has them: "${altered}"`,
        code: 'quote-not-found',
        warning: 'A sentence with a quote that no source has was not taken.',
      };
}

function beyondFindings(path: string, reason: string, plain: string): AnswerProblem {
  return {
    path,
    message: `${reason}: "${plain}"`,
    code: 'sentence-beyond-findings',
    warning: 'A sentence that says more than the findings was not taken.',
  };
}

function uncited(path: string, plain: string): AnswerProblem {
  return {
    path,
    message: `it cites no source: "${plain}"`,
    code: UNCITED,
    warning: 'A sentence that states something and cites no source was dropped.',
  };
}

/** A number says which citation was meant, and nothing else of what a model wrote. */
const NUMBER = /^\[?\s*[S^]?\s?\d{1,6}\s*\]?$/i;

export function unknownCitation(
  path: string,
  written: string,
  { voice }: Pick<SectionMaterial, 'voice'>,
): AnswerProblem {
  const names = voice === 'brief' && NUMBER.test(written);
  return {
    path,
    message: `${written} is not one of the sources; cite them as [S1]`,
    code: 'unknown-source',
    warning: names
      ? `Citation [${written.replace(/[[\]\s]/g, '')}] was written, but does not exist; it was dropped.`
      : 'A citation of a source that was not given was dropped.',
  };
}
