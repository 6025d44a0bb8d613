import { briefTexts } from '../../../texts/brief';
import type { SectionDraft } from '../../../contracts/report/draft';
import { citationMark } from '../../../core/text/citation-marks';
import { inert, quotation } from '../../../core/writing/quotation';
import { splitSentences } from '../../../language/sentences';
import type { BriefStatement } from './brief-statements';
import type { Disagreement } from './disagreements';
import {
  draftOfParagraphs,
  overviewMaterial,
  type OverviewInput,
  type OverviewMaterial,
  type OwnWords,
  type Piece,
  pieceOf,
  pointsWithin,
} from './overview-material';
import { negationsIn } from '../../../language/negation';
import data from './data/recommending-words.json';

/** What sources recommend has so much of the words; the rest is told in sentences of our own. */
const RECOMMENDED = 0.6;
const MOST = { recommended: 3, settled: 4, cited: 4, disputes: 3, thin: 2 };
/** Half as many as the middle one has are few. */
const FEW = 0.5;

/**
 * What can be done with the findings: what their sources recommend, word for word; then on what they agree, what they dispute and so
 * has to be decided, what nothing answers, and where to look next. What is told in the subtopics is pointed at, and not repeated.
 */
export function tellConclusions(input: OverviewInput): SectionDraft {
  const material = overviewMaterial(input);
  const recommended = pointsWithin(
    material.points.filter(({ statement }) => recommends(statement.finding.claim)),
    RECOMMENDED * input.words,
    { taken: new Set(), mostOfSubtopic: MOST.recommended, most: MOST.recommended },
  );
  return draftOfParagraphs([
    recommended.map((point, at) => pieceOf(point, at === 0 ? [() => briefTexts.recommending] : [])),
    followUp(input, material).map((own): Piece => ({ lead: [own], text: '', findingIds: [] })),
  ]);
}

function followUp(input: OverviewInput, { against, isAnswered }: OverviewMaterial): OwnWords[] {
  const { statements, titles } = input;
  return [
    ...(isAnswered ? [] : [() => briefTexts.notDecided]),
    ...settled(input, against),
    ...against.slice(0, MOST.disputes).map((one) => toDecide(one, titles)),
    ...thin(input),
    ...(statements.every(isAlone) ? [() => briefTexts.unconfirmed] : []),
  ];
}

/** The subtopics in which nothing is disputed and several sources say something, each with these. */
function settled(
  { statements, conflicts, titles }: OverviewInput,
  against: readonly Disagreement[],
): OwnWords[] {
  const disputed = new Set(conflicts.flatMap(({ findingIds }) => findingIds));
  const where = [...titles].flatMap(([subtopic, title]) => {
    const own = statements.filter(({ subtopicId }) => subtopicId === subtopic);
    const agreed = own.filter((one) => !isAlone(one) && !against.some((dispute) => spans(one, dispute)));
    return agreed.length === 0 || own.some(({ id }) => disputed.has(id))
      ? []
      : [`${quotation(title)} ${marked(agreed.flatMap(sourcesOf))}`];
  });
  if (where.length === 0) return [];
  return [() => briefTexts.settled(where.slice(0, MOST.settled))];
}

/** A dispute with what differs between its sides, who stands on each, and what to do about it. */
function toDecide({ conflict, sides }: Disagreement, titles: ReadonlyMap<string, string>): OwnWords {
  const who = conflict.viewpoints.map(({ citations }) => marked(citations));
  const found = [...new Set(sides.flat().map(({ subtopicId }) => subtopicId))];
  const where = found.map((id) => quotation(titles.get(id) ?? ''));
  const [difference] = splitSentences(conflict.reason);
  return () => {
    const differs = difference === undefined ? briefTexts.disagreement(conflict.topic) : difference.text;
    return briefTexts.toDecide(inert(differs).replace(/\.$/, ''), who, where);
  };
}

/** Subtopics behind which stand far fewer sources than behind others. */
function thin({ sources, titles }: OverviewInput): OwnWords[] {
  const counts = [...sources.values()].sort((a, b) => a - b);
  const [fewest = 0, middle = 0] = [counts[0], counts[Math.floor(counts.length / 2)]];
  const found = [...sources].filter(([, behind]) => behind === fewest).slice(0, MOST.thin);
  if (fewest > FEW * middle || found.length === 0) return [];
  const where = found.map(([id]) => quotation(titles.get(id) ?? ''));
  return [() => briefTexts.thin(where, fewest)];
}

/** Whether a statement cites both sides of a dispute: it speaks of the dispute then. */
function spans({ finding }: BriefStatement, { conflict: { viewpoints } }: Disagreement): boolean {
  const cited = viewpoints.filter(({ citations }) => citations.some((id) => finding.citations.includes(id)));
  return cited.length > 1;
}

function marked(sourceIds: readonly string[]): string {
  return citationMark([...new Set(sourceIds)].slice(0, MOST.cited));
}

function sourcesOf({ finding }: BriefStatement): readonly string[] {
  return finding.citations;
}

function isAlone({ finding }: BriefStatement): boolean {
  return finding.citations.length === 1;
}

const recommending = new RegExp(`\\b(?:${data.recommending.join('|')})\\b`, 'i');
const needing = new RegExp(`\\b(?:${data.needing.join('|')})\\b`, 'i');
const ASKING = /\bwhether\b|\?$/i;

/** Whether a statement says what should be done: `Doses should be halved`, `Longer trials are needed`. */
function recommends(text: string): boolean {
  if (ASKING.test(text)) return false;
  return recommending.test(text) || (needing.test(text) && negationsIn(text) === 0);
}
