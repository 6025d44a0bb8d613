import type { SectionDraft } from '../../../contracts/report/draft';
import { count } from '../../../core/writing/count';
import { inert, quotation } from '../../../core/writing/quotation';
import {
  draftOfParagraphs,
  piecesOf,
  overviewMaterial,
  type OverviewInput,
  type Piece,
  pointsWithin,
} from './overview-material';

/** What the statements come to has so much of the words; what is open is told in sentences of our own. */
const STATED = 0.7;
const MOST = { stated: 5, disputes: 2, thin: 2 };
/** What a second and a third source count, against answers that differ by this. */
const SUPPORT_WEIGHT = 0.08;
const MOST_SUPPORT = 4;
/** Half as many as the middle one has are few. */
const FEW = 0.5;

/** What can be relied on, then what is open and where to look next; `earlier` are the statements of the summary. */
export function tellConclusions(input: OverviewInput, earlier: readonly string[]): SectionDraft {
  const { worthTelling, against } = overviewMaterial(input);
  const disputedIds = against.flatMap(({ sides }) => sides.flat().map(({ id }) => id));
  const byWeight = [...worthTelling].sort((a, b) => weightOf(b) - weightOf(a));
  const limits = { taken: new Set([...earlier, ...disputedIds]), mostOfSubtopic: 1, most: MOST.stated };
  const stated = pointsWithin(byWeight, STATED * input.words, limits);
  const isSupported = stated.some(({ support }) => support > 1);
  const lead = `What ${isSupported ? 'the sources support best' : 'bears on the question most'} is where to begin. `;
  return draftOfParagraphs([piecesOf(stated, input.titles, lead), openMatters(input)]);

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
      return `Open is ${inert(topic)}: weigh both sides under ${listed(named([...new Set(where)]))} before relying on either.`;
    });
  const texts = [...disputes, ...thin(input), ...(statements.every(isAlone) ? [UNCONFIRMED] : [])];
  return texts.map((text) => ({ lead: '', text, findingIds: [] }));
}

const UNCONFIRMED =
  'Each statement above rests on one source alone, so that whatever is decided on it deserves a second one.';

function isAlone({ finding }: OverviewInput['statements'][number]): boolean {
  return finding.citations.length === 1;
}

/** Subtopics behind which stand far fewer sources than behind others. */
function thin({ sources, titles }: OverviewInput): string[] {
  const counts = [...sources.values()].sort((a, b) => a - b);
  const [fewest = 0, middle = 0] = [counts[0], counts[Math.floor(counts.length / 2)]];
  const found = [...sources].filter(([, behind]) => behind === fewest).slice(0, MOST.thin);
  if (fewest > FEW * middle || found.length === 0) return [];
  const where = listed(found.map(([id]) => quotation(titles.get(id) ?? '')));
  const each = found.length > 1 ? ' each' : '';
  return [
    `The fewest sources stand behind ${where}, ${count(fewest, 'source')}${each}: look there for more first.`,
  ];
}

function listed(names: readonly string[]): string {
  const [last = '', ...others] = [...names].reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
}
