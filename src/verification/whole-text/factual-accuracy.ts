import type { JudgedDocument } from '../../contracts/judge/judged-document';
import type { DimensionScore } from '../../contracts/judge/judgement';
import { accuracyBound } from '../../core/judge/accuracy-bound';
import { doubtedPlaces } from '../../core/judge/doubted-places';
import { toldVerdicts } from '../../core/judge/told-verdicts';
import { withoutOwnRemarks } from '../../core/report/own-remarks';
import { count } from '../../core/writing/count';
import { votesTold } from '../../core/writing/vote-count';
import { absentNumbers, type NumberedSentence, numberedTexts } from '../absent-numbers';
import { claimedNumbers, heldNumbers } from '../held-numbers';
import type { PreparedDocument } from './prepared-document';

/** What few claims show is less sure than what many show: it counts as if there were one more, which nobody checked. */
const ONE_MORE = { verdict: 'unchecked' } as const;
/** So many sentences are named for their numbers. */
const MOST_PLACES = 10;

/**
 * What a text may count of what it was made from, as a sentence: a frame that cites nothing (`with 1 source`) may say so. An amount
 * with a unit (`64 minutes`) is none of these, nor is a number that counts nothing that there is.
 */
function ownCounts({ topics, sources, conflicts }: JudgedDocument): NumberedSentence {
  const ofTopics = topics.flatMap(({ statements }) => [
    statements.length,
    new Set(statements.flatMap(({ sourceIds }) => sourceIds)).size,
  ]);
  const statements = topics.reduce((sum, topic) => sum + topic.statements.length, 0);
  const cited = sources.filter(({ n }) => n !== null).length;
  const counts = [topics.length, sources.length, cited, conflicts.length, statements, ...ofTopics];
  const text = [...new Set(counts)].join('; ');
  return { text, numbers: heldNumbers(text) };
}

/**
 * What the verifier found of the claims, less the share of sentences with figures that have one which stands nowhere in the
 * material: those of the summary and the conclusions too, which may be no claims.
 */
export function factualAccuracy({ document, parts }: PreparedDocument): DimensionScore {
  const held = numberedTexts([
    ...document.topics.flatMap(({ title, statements }) => [title, ...statements.map(({ text }) => text)]),
    ...document.conflicts.flatMap(({ viewpoints }) => viewpoints.map(({ text }) => text)),
    ...document.sources.flatMap(({ title, publishedAt }) => [title, publishedAt ?? '']),
    document.question,
  ]);
  const counted = ownCounts(document);
  const figured = parts.flatMap(({ id, paragraphs }) =>
    paragraphs.flatMap(({ sentences }) =>
      sentences
        .map(({ plain, ...sentence }) => ({ ...sentence, plain: withoutOwnRemarks(plain) }))
        // Whether what is counted of sources comes out is its verdict.
        .filter(({ plain }) => claimedNumbers(plain).length > 0 && votesTold(plain) === null)
        .map(({ plain, written, cites }) => ({
          partId: id,
          quote: written,
          absent: absentNumbers(plain, cites.length === 0 ? [...held, counted] : held),
        })),
    ),
  );
  const foreign = figured.filter(({ absent }) => absent.length > 0);
  const share = figured.length === 0 ? 0 : foreign.length / figured.length;
  const score = 1 + (accuracyBound([...document.claims, ONE_MORE]) - 1) * (1 - share);
  const numbers = foreign.flatMap(({ absent }) => absent);
  const told =
    numbers.length === 0
      ? 'Every figure of it stands in the material.'
      : `${count(numbers.length, 'figure')} of it ${numbers.length === 1 ? 'stands' : 'stand'} nowhere in the material: ${numbers.slice(0, 3).join(', ')}.`;
  const doubted = doubtedPlaces(document);
  const named = new Set(doubted.map(({ partId, quote }) => `${partId}\n${quote ?? ''}`));
  const more = foreign
    .filter(({ partId, quote }) => !named.has(`${partId}\n${quote}`))
    .slice(0, MOST_PLACES)
    .map(({ partId, quote }) => ({ partId, quote }));
  return { score, reason: `${toldVerdicts(document.claims)} ${told}`, places: [...doubted, ...more] };
}
