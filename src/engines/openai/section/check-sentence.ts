import type { AnswerProblem } from '../answers/reading';
import { echoProblem } from '../echoes';
import { citationsIn, withoutCitations } from '../markdown/citation-tokens';
import { quoteParts } from '../quotes/comparable-text';
import type { SectionMaterial } from './section-material';

/** A sentence that may stand, with what it cites and tells of; one that cites nothing only connects others. */
export interface CheckedSentence {
  /** With citation tokens. */
  text: string;
  sourceIds: string[];
  findingIds: string[];
}

/** Of the content words of a sentence that cites nothing, so many stand in the material. */
const LEAST_CONNECTED = 0.5;
/** Shorter pieces in quotation marks are words that are mentioned, not quotes. */
const QUOTE_WORDS = 4;
/** A model's own remarks on confidence; the findings have theirs. */
const CONFIDENCE =
  /\s*\((?:[^()]*\b)?(?:very )?(?:high|medium|moderate|low)[ -]confidence[^()]*\)|\s*\(confidence:?[^()]*\)/gi;

/** Holds a sentence against the material. Null with a problem where it may not stand. */
export function checkSentence(
  written: string,
  citations: readonly string[][],
  material: SectionMaterial,
  path: string,
): { sentence: CheckedSentence | null; problems: AnswerProblem[] } {
  const text = written.replace(CONFIDENCE, '');
  const plain = withoutCitations(text);
  const cited = citationsIn(text, citations);
  const problems: AnswerProblem[] = [];
  const sourceIds = [
    ...new Set(
      cited.flatMap((shortId) => {
        const ids = material.sourcesOf(shortId);
        if (ids.length === 0) problems.push(unknownCitation(path, shortId));
        return ids;
      }),
    ),
  ];
  if (!/[\p{L}\p{N}]/u.test(plain)) return { sentence: null, problems };
  const dropped = (problem: AnswerProblem): { sentence: null; problems: AnswerProblem[] } => ({
    sentence: null,
    problems: [...problems, problem],
  });

  if (material.echoes.isEcho(plain)) return dropped(echoProblem(path, 'a sentence'));
  const strangers = material.grounding.strangers(plain);
  if (strangers.length > 0) {
    return dropped({
      path,
      message: `${strangers.join(', ')} stands in no finding: "${plain}"`,
      code: 'sentence-beyond-findings',
      warning: 'A sentence that says more than the findings was dropped.',
    });
  }
  const altered = quotesIn(plain).find((quote) => !material.isQuoted(quote));
  if (altered !== undefined) {
    return dropped({
      path,
      message: `these words are in quotation marks, and no source has them: "${altered}"`,
      code: 'quote-not-found',
      warning: 'A sentence with a quote that no source has was dropped.',
    });
  }
  if (sourceIds.length === 0) {
    const connects =
      cited.length === 0 && material.grounding.share(plain) >= LEAST_CONNECTED && !/\d/.test(plain);
    if (connects) return { sentence: { text, sourceIds: [], findingIds: [] }, problems };
    return dropped({
      path,
      message: `it cites no source: "${plain}"`,
      code: 'sentence-uncited',
      warning: 'A sentence that states something and cites no source was dropped.',
    });
  }
  const backing = material.backing(plain, sourceIds);
  if (backing.findingIds.length === 0) {
    return dropped({
      path,
      message: `no finding of the sources it cites says this: "${plain}"`,
      code: 'sentence-beyond-findings',
      warning: 'A sentence that says more than the findings was dropped.',
    });
  }
  if (backing.sourceIds.length < sourceIds.length) {
    problems.push({
      path,
      message: `not every source that it cites has a finding that says this: "${plain}"`,
      code: 'citation-without-finding',
      warning: 'A citation of a source that does not say what the sentence says was dropped.',
    });
  }
  return { sentence: { text, ...backing }, problems };
}

export function unknownCitation(path: string, written: string): AnswerProblem {
  return {
    path,
    message: `${written} is not one of the sources; cite them as [S1]`,
    code: 'unknown-source',
    warning: 'A citation of a source that was not given was dropped.',
  };
}

function quotesIn(text: string): string[] {
  return [...text.matchAll(/“([^“”]+)”|"([^"]+)"|«([^«»]+)»/g)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    .flatMap(quoteParts)
    .filter((quote) => quote.split(/\s+/).length >= QUOTE_WORDS);
}
