import { answerTexts } from '../../../texts/answer';
import type { AnswerSentence } from '../../../contracts/answer/answer-draft';
import type { AnswerPassage } from '../../../contracts/answer/answer-passage';
import { bullets } from '../../../core/writing/markdown-blocks';
import type { Question } from '../../../reading/question/question';
import { citationMark } from '../../../core/text/citation-marks';
import { attributionOf, authorNames } from '../../../core/writing/attribution';
import { inert, quotation } from '../../../core/writing/quotation';
import { titleToTell } from '../../../core/writing/title-to-tell';
import { capitalised } from '../../../core/writing/within-sentence';
import { terms } from '../../../language/words';
import type { AnswerClaim } from './answer-claims';

/** Writes claims as Markdown, one row each. `sentences` are in the order of the rows. */
export function writeAnswer(
  claims: readonly AnswerClaim[],
  question: Question,
  sourceOf: (passageId: string | undefined) => AnswerPassage | undefined,
): { markdown: string; sentences: AnswerSentence[] } {
  const introduced = new Set<string>();
  const sentences = claims.flatMap((claim, at): AnswerSentence[] => {
    const source = sourceOf(claim.passageIds[0]);
    if (source === undefined) return [];
    const follows = claims[at - 1]?.evidence[0]?.sourceId === source.sourceId;
    const isIntroduced = introduced.has(source.sourceId);
    introduced.add(source.sourceId);
    return [
      tellClaim(claim, {
        question,
        source,
        contrast: claim.isAgainst,
        follows,
        introduced: isIntroduced,
      }),
    ];
  });
  const rows = sentences.map(({ text }) => text);
  return { markdown: rows.length > 1 ? bullets(rows).trimEnd() : rows.join(''), sentences };
}

interface ClaimPlace {
  question: Question;
  source: AnswerPassage;
  /** Whether it follows a claim of its document, or its document was named further up. */
  follows: boolean;
  introduced: boolean;
  contrast: boolean;
}

/** `Doe (2010), in “Title”: “quote” [@P1].`: who says it where that is known, about what where the quote does not say it. */
function tellClaim({ evidence, passageIds }: AnswerClaim, place: ClaimPlace): AnswerSentence {
  const quote = evidence[0]?.quote ?? '';
  const { source, follows, introduced, contrast } = place;
  const who = authorNames(source.author).length === 0 ? '' : inert(attributionOf(source).subject);
  const title = introduced ? null : titleThatTells(quote, place, who === '');
  const lead = answerTexts.lead({
    isContrast: contrast,
    who: follows ? '' : who,
    isAgain: introduced,
    title: follows || title === null ? '' : quotation(title),
  });
  const said = `${quotation(quote)} ${citationMark(passageIds)}`;
  return {
    text: `${lead === '' ? '' : `${capitalised(lead)}: `}${said}.`,
    plain: quote.replace(/\s+/g, ' '),
    passageIds: [...passageIds],
    isClaim: true,
  };
}

/** The title, where it has words of the question that the quote leaves out, or nobody else can be named. */
function titleThatTells(
  quote: string,
  { question, source }: ClaimPlace,
  isAllThereIs: boolean,
): string | null {
  const said = new Set(terms(quote));
  const named = new Set(terms(source.title));
  const adds = question.words.some((word) => named.has(word) && !said.has(word));
  return adds || isAllThereIs ? titleToTell(quote, source.title) : null;
}
