import { tokensOf } from '../../../language/tokens';
import { type Reading, weightedShare } from '../../../reading/features/features';
import type { RankedSentence } from '../../../reading/rank-sentences';
import type { AnswerMaterial } from './answer-material';

/** Names that weigh so much of the question are what it is about: “the median age in Riceville”. */
const ABOUT_NAMES = 0.4;
/** What names less of them than this share, or than this share of the one that names most, is of something else. */
const LEAST_NAMED = 0.5;
const NEAR_MOST = 0.8;
const NEIGHBOURS = 2;
const QUOTED = /["“]([^"“”]+)["”]/g;

/**
 * The sentences that are of what the question names, in their order: a title in quotation marks stands as it is written, the
 * names that it is about stand for the most part, in the sentence, beside it or in its document's title. None where none is.
 */
export function sentencesOfNamed(
  ranked: readonly RankedSentence[],
  reading: Reading,
  material: AnswerMaterial,
): RankedSentence[] {
  const quoted = [...reading.question.text.matchAll(QUOTED)].map(([, title = '']) => spaced(title));
  const titled = ranked.filter(({ sentence }) => {
    const around = quoted.length === 0 ? '' : contextOf(sentence, material);
    return quoted.every((title) => around.includes(title));
  });
  const columns = columnsOfNames(reading);
  if (columns.length === 0) return titled;
  const { matches, union, weights } = reading;
  const named = titled.map(({ sentence }) =>
    weightedShare(union, sentence * matches.columns, weights, columns),
  );
  const least = Math.max(LEAST_NAMED, NEAR_MOST * Math.max(0, ...named));
  return titled.filter((_sentence, at) => (named[at] ?? 0) >= least);
}

/** Whether a question is about what it names, and so a narrow one: “What was the rank of General Seitz?” */
export function isAboutNamed(reading: Reading): boolean {
  return columnsOfNames(reading).length > 0;
}

/** The columns of the question's names, where it is about them. */
function columnsOfNames({ question, weights, whole }: Reading): number[] {
  const columns = question.names.map((name) => question.words.indexOf(name));
  const weight = columns.reduce((sum, column) => sum + (weights[column] ?? 0), 0);
  // A study names its treatment in the title and tells of it as a group's.
  return !question.asksForEffect && weight >= ABOUT_NAMES * whole ? columns : [];
}

function contextOf(sentence: number, { collection, sentences }: AnswerMaterial): string {
  const { from = 0, to = 0 } = collection.sources[collection.sourceOf[sentence] ?? 0] ?? {};
  const near = collection.texts.slice(
    Math.max(from, sentence - NEIGHBOURS),
    Math.min(to, sentence + NEIGHBOURS + 1),
  );
  return [sentences[sentence]?.source.title ?? '', ...near].map(spaced).join('');
}

function spaced(text: string): string {
  return ` ${tokensOf(text).join(' ')} `;
}
