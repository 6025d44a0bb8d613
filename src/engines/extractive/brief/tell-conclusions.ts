import type { SectionDraft } from '../../../contracts/report/draft';
import { countInWords } from '../../../core/writing/count';
import { inSeries } from '../../../core/writing/in-series';
import { inert, quotation } from '../../../core/writing/quotation';
import { wordsBetweenSpaces } from './cited-sentence';
import {
  draftOfParagraphs,
  piecesOf,
  overviewMaterial,
  type OverviewInput,
  type Piece,
  pointsWithin,
} from './overview-material';

/** What the statements come to has so much of the words; what is open is told in sentences of our own. */
const STATED = 0.6;
const MOST = { stated: 5, disputes: 2, thin: 2 };
/** What a second and a third source count, against answers that differ by this. */
const SUPPORT_WEIGHT = 0.08;
const MOST_SUPPORT = 4;
const NOT_DECIDED = 'No single statement decides the question; these weigh most. ';
/** Half as many as the middle one has are few. */
const FEW = 0.5;

/**
 * What answers the question, with what is best supported beside the summary; then what is disputed, and where to look next. `earlier`
 * are the statements of the summary.
 */
export function tellConclusions(input: OverviewInput, earlier: readonly string[]): SectionDraft {
  const { worthTelling, against, isAnswered } = overviewMaterial(input);
  const disputedIds = against.flatMap(({ sides }) => sides.flat().map(({ id }) => id));
  const byWeight = [...worthTelling].sort((a, b) => weightOf(b) - weightOf(a));
  const settled = worthTelling.filter(({ statement }) => !disputedIds.includes(statement.id));
  // Who reads nothing else, as in a memo that opens with it, has the answer here too.
  const answer = settled.slice(0, 1);
  const open = openMatters(input);
  const left = Math.max(STATED * input.words, input.words - wordsOf(open)) - wordsOf(answer);
  const limits = { taken: new Set([...earlier, ...disputedIds]), mostOfSubtopic: 1, most: MOST.stated };
  for (const { statement } of answer) limits.taken.add(statement.id);
  const stated = [...answer, ...(left > 0 ? pointsWithin(byWeight, left, limits) : [])];
  return draftOfParagraphs([piecesOf(stated, input.titles, isAnswered ? '' : NOT_DECIDED), open]);

  function weightOf({ answer, support }: (typeof worthTelling)[number]): number {
    return answer + SUPPORT_WEIGHT * Math.min(support, MOST_SUPPORT);
  }
}

/** What is disputed, and what rests on the fewest sources. */
function openMatters(input: OverviewInput): Piece[] {
  const { statements, titles, conflicts } = input;
  const named = (ids: readonly string[]): string[] => ids.map((id) => quotation(titles.get(id) ?? ''));
  const told = new Set(statements.map(({ id }) => id));
  const disputes = conflicts
    .filter(({ findingIds }) => findingIds.filter((id) => told.has(id)).length > 1)
    .slice(0, MOST.disputes)
    .map(({ topic, findingIds }) => {
      const where = statements
        .filter(({ id }) => findingIds.includes(id))
        .map(({ subtopicId }) => subtopicId);
      return `Open is ${inert(topic)}: weigh both sides under ${inSeries(named([...new Set(where)]))} before relying on either.`;
    });
  const texts = [...disputes, ...thin(input), ...(statements.every(isAlone) ? [UNCONFIRMED] : [])];
  return texts.map((text) => ({ lead: '', text, findingIds: [] }));
}

const UNCONFIRMED =
  'Each of these statements rests on one source alone: look for a second one before deciding on it.';

function isAlone({ finding }: OverviewInput['statements'][number]): boolean {
  return finding.citations.length === 1;
}

/** Subtopics behind which stand far fewer sources than behind others. */
function thin({ sources, titles }: OverviewInput): string[] {
  const counts = [...sources.values()].sort((a, b) => a - b);
  const [fewest = 0, middle = 0] = [counts[0], counts[Math.floor(counts.length / 2)]];
  const found = [...sources].filter(([, behind]) => behind === fewest).slice(0, MOST.thin);
  if (fewest > FEW * middle || found.length === 0) return [];
  const where = inSeries(found.map(([id]) => quotation(titles.get(id) ?? '')));
  const [rest, them] = found.length > 1 ? ['rest', 'them'] : ['rests', 'it'];
  const each = found.length > 1 ? ' each' : '';
  return [
    `${where} ${rest} on ${countInWords(fewest, 'source')}${each}, fewer than the others: look for more there before relying on ${them}.`,
  ];
}

function wordsOf(told: readonly { text: string }[]): number {
  return told.reduce((sum, { text }) => sum + wordsBetweenSpaces(text), 0);
}
