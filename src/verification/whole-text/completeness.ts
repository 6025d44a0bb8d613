import type { JudgedDocument } from '../../contracts/judge/judged-document';
import type { DimensionScore } from '../../contracts/judge/judgement';
import { percent, scoreOf, weightedMean } from '../../core/judge/score-of';
import { count } from '../../core/writing/count';
import { tokensOf } from '../../language/tokens';
import type { PreparedDocument } from './prepared-document';

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
export function completeness(prepared: PreparedDocument): DimensionScore {
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
