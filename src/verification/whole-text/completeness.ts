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

/**
 * Whether each topic is told, and how deep: the share of its statements, and of its figures, that the text tells, held against
 * the share that there is room for. Each topic counts alike, so that one told at length makes up for none that is missing.
 */
export function completeness(prepared: PreparedDocument): DimensionScore {
  const { document, sentences, room } = prepared;
  const topics = document.topics.filter(({ statements }) => statements.length > 0);
  if (topics.length === 0)
    return { score: 3, reason: 'The material says nothing that could be told.', places: [] };
  const tokens = new Set(sentences.flatMap(({ plain }) => tokensOf(plain)));
  const depths = topics.map((topic) => {
    const degrees = topic.statements.map(({ text }) => prepared.finder.find(text).degree);
    const told = degrees.reduce((sum, degree) => sum + degree, 0) / degrees.length;
    const figures = figuresOf(topic);
    const has = figures.filter((figure) => tokens.has(figure)).length;
    const enough = (share: number): number => Math.min(1, share / (OF_ROOM * room));
    const depth = weightedMean(
      [
        { share: enough(told), weight: 3 },
        figures.length === 0 ? null : { share: enough(has / figures.length), weight: 1 },
      ],
      0,
    );
    // Figures that happen to stand elsewhere tell nothing of a topic that is not told.
    return { topic, told, depth: told === 0 ? 0 : depth };
  });
  const share = depths.reduce((sum, { depth }) => sum + depth, 0) / depths.length;
  const shallow = depths.filter(({ depth }) => depth < SHALLOW);
  const whole = depths.reduce((sum, { told }) => sum + told, 0) / depths.length;
  const named = shallow.map(({ topic }) => `“${topic.title}”`).slice(0, 3);
  const lacking = named.length === 0 ? '' : ` Little or nothing is told of ${named.join(', ')}.`;
  return {
    score: scoreOf(share),
    reason: `Of ${count(topics.length, 'topic')} it tells ${percent(whole)} of the statements, where there is room for ${percent(room)}.${lacking}`,
    places: shallow.map(({ topic }) => ({ partId: topic.id, quote: null })),
  };
}

function figuresOf({ statements }: JudgedDocument['topics'][number]): string[] {
  return [...new Set(statements.flatMap(({ text }) => tokensOf(text)).filter((token) => /\d/.test(token)))];
}
