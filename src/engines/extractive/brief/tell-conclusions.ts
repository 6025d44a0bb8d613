import type { SectionDraft } from '../../../contracts/report/draft';
import { count } from '../../../core/writing/count';
import { inert, quotation } from '../../../core/writing/quotation';
import {
  draftOfParagraphs,
  overviewMaterial,
  type OverviewInput,
  type Piece,
  pieceOf,
  pointsWithin,
} from './overview-material';

/** What the statements come to has so much of the words; what is open is told in sentences of our own. */
const STATED = 0.7;
const MOST = { stated: 5, disputes: 2, thin: 2 };
/** What a second and a third source count, against answers that differ by this. */
const SUPPORT_WEIGHT = 0.08;
const MOST_SUPPORT = 4;

/** What can be relied on, then what is open and where to look next; `earlier` are the statements of the summary. */
export function tellConclusions(input: OverviewInput, earlier: readonly string[]): SectionDraft {
  const { points, against } = overviewMaterial(input);
  const disputedIds = against.flatMap(({ sides }) => sides.flat().map(({ id }) => id));
  const byWeight = [...points].sort((a, b) => weightOf(b) - weightOf(a));
  const limits = { taken: new Set([...earlier, ...disputedIds]), mostOfSubtopic: 1, most: MOST.stated };
  const stated = pointsWithin(byWeight, STATED * input.words, limits);
  const lead = 'What the sources support best is where to begin. ';
  return draftOfParagraphs([
    stated.map((point, at) => pieceOf(point, at === 0 ? lead : '')),
    openMatters(input),
  ]);

  function weightOf({ answer, support }: (typeof points)[number]): number {
    return answer + SUPPORT_WEIGHT * Math.min(support, MOST_SUPPORT);
  }
}

/** What is disputed, and what rests on the fewest sources. */
function openMatters({ statements, titles, conflicts }: OverviewInput): Piece[] {
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
  const behind = [...titles.keys()].map((id) => ({
    id,
    sources: new Set(
      statements.filter(({ subtopicId }) => subtopicId === id).flatMap(({ finding }) => finding.citations),
    ).size,
  }));
  const fewest = Math.min(...behind.map(({ sources }) => sources));
  const thin = behind.filter(({ sources }) => sources === fewest).slice(0, MOST.thin);
  const isUneven = behind.some(({ sources }) => sources > fewest);
  const where = listed(named(thin.map(({ id }) => id)));
  const next = `The fewest sources stand behind ${where}, with ${count(fewest, 'source')}${thin.length > 1 ? ' each' : ''}: look there for more before deciding on it.`;
  return [...disputes, ...(isUneven ? [next] : [])].map((text) => ({ lead: '', text, findingIds: [] }));
}

function listed(names: readonly string[]): string {
  const [last = '', ...others] = [...names].reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
}
