import type { JudgedDocument } from '../../contracts/judge/judged-document';
import type { JudgeOpinion, DimensionScore } from '../../contracts/judge/judgement';
import { bias } from './bias';
import { coherence } from './coherence';
import { coverage } from './coverage';
import { preparedDocument, type PreparedDocument } from './prepared-document';
import { percent, scoreOf, weightedMean } from '../../core/judge/score-of';
import { count } from '../../core/writing/count';
import { tokensOf } from '../../language/tokens';
import { accuracyBound } from '../../core/judge/accuracy-bound';
import { doubtedPlaces } from '../../core/judge/doubted-places';
import { toldVerdicts } from '../../core/judge/told-verdicts';
import { withoutOwnRemarks } from '../../core/report/own-remarks';
import { votesTold } from '../../core/writing/vote-count';
import { absentNumbers, type NumberedSentence, numberedTexts } from '../absent-numbers';
import { claimedNumbers, heldNumbers } from '../held-numbers';

/** What can be measured of a text, as five scores with the figures that they are made of. Pure. */
export function measuredOpinion(document: JudgedDocument): JudgeOpinion {
  const prepared = preparedDocument(document);
  if (prepared.sentences.length === 0) return nothingTold(document);
  return {
    by: 'measures',
    factualAccuracy: factualAccuracy(prepared),
    completeness: completeness(prepared),
    coverage: coverage(prepared),
    coherence: coherence(prepared),
    bias: bias(prepared),
  };
}

/** A text without a sentence is the worst in everything; whoever is to tell something is named. */
function nothingTold({ parts, topics }: JudgedDocument): JudgeOpinion {
  const ids = new Set([...parts, ...topics].map(({ id }) => id));
  const places = [...ids].map((partId) => ({ partId, quote: null }));
  const worst = { score: 1, reason: 'It tells nothing.', places };
  return {
    by: 'measures',
    factualAccuracy: worst,
    completeness: worst,
    coverage: worst,
    coherence: worst,
    bias: worst,
  };
}

/** No text tells everything that there is room for: joints, headings and what stands twice take room too. */
const OF_ROOM = 0.7;
/** A topic of which less is told is named. */
const SHALLOW = 0.5;
/** Where topics have parts of their own, one without is told in passing: what others say that is like it. */
const IN_PASSING = 0.5;

/**
 * Whether each topic is told, and how deep: the share of its statements, and of its figures, that the text tells, held against
 * the share that there is room for. Each topic counts alike, so that one told at length makes up for none that is missing. What
 * was given and set aside before anything was written is not told either: that lowers the score, and no part is named for it.
 */
function completeness(prepared: PreparedDocument): DimensionScore {
  const { document, sentences, room, body } = prepared;
  const topics = document.topics.filter(
    ({ statements, setAside }) => statements.length + (setAside ?? 0) > 0,
  );
  if (topics.length === 0)
    return { score: 3, reason: 'The material says nothing that could be told.', places: [] };
  const written = new Set(body.filter(({ paragraphs }) => paragraphs.length > 0).map(({ id }) => id));
  const haveParts = topics.some(({ id }) => written.has(id));
  const tokens = new Set(sentences.flatMap(({ plain }) => tokensOf(plain)));
  const depths = topics.map((topic) => {
    const { id, statements, setAside = 0 } = topic;
    const degrees = statements.map(({ text }) => prepared.finder.find(text).degree);
    const told =
      statements.length === 0 ? 0 : degrees.reduce((sum, degree) => sum + degree, 0) / degrees.length;
    const figures = figuresOf(topic);
    const has = figures.filter((figure) => tokens.has(figure)).length;
    const enough = (part: number): number => Math.min(1, part / (OF_ROOM * room));
    const depth = weightedMean(
      [
        { share: enough(told), weight: 3 },
        figures.length === 0 ? null : { share: enough(has / figures.length), weight: 1 },
      ],
      0,
    );
    // Figures that happen to stand elsewhere tell nothing of a topic that is not told.
    const whole = told === 0 ? 0 : depth * (haveParts && !written.has(id) ? IN_PASSING : 1);
    return {
      topic,
      told,
      depth: whole,
      ofGiven: (whole * statements.length) / (statements.length + setAside),
    };
  });
  const share = depths.reduce((sum, { ofGiven }) => sum + ofGiven, 0) / depths.length;
  const shallow = depths.filter(({ topic, depth }) => topic.statements.length > 0 && depth < SHALLOW);
  const whole = depths.reduce((sum, { told }) => sum + told, 0) / depths.length;
  const named = shallow.map(({ topic }) => `“${topic.title}”`).slice(0, 3);
  const lacking = named.length === 0 ? '' : ` Little or nothing is told of ${named.join(', ')}.`;
  const aside = topics.reduce((sum, { setAside = 0 }) => sum + setAside, 0);
  const ofGiven =
    aside === 0
      ? ''
      : ` ${count(aside, 'statement')} that ${aside === 1 ? 'was' : 'were'} given could not be told: their sources do not bear them.`;
  return {
    score: scoreOf(share),
    reason: `Of ${count(topics.length, 'topic')} it tells ${percent(whole)} of the statements, where there is room for ${percent(room)}.${lacking}${ofGiven}`,
    places: shallow.map(({ topic }) => ({ partId: topic.id, quote: null })),
  };
}

function figuresOf({ statements }: JudgedDocument['topics'][number]): string[] {
  return [...new Set(statements.flatMap(({ text }) => tokensOf(text)).filter((token) => /\d/.test(token)))];
}

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
function factualAccuracy({ document, parts }: PreparedDocument): DimensionScore {
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
