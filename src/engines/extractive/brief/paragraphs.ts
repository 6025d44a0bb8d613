import type { BriefStatement, StatementPlaces } from './brief-statements';

const FEWEST = 2;
const MOST = 5;

/**
 * Statements in paragraphs of two to five, as their summary has them. Where that is not known a paragraph is what is told of
 * one source after another.
 */
export function inParagraphs(
  statements: readonly BriefStatement[],
  places: StatementPlaces = {},
  /** The ids of those that answer the one before, and stand with it. */
  answering: ReadonlySet<string> = new Set(),
): BriefStatement[][] {
  const joined: BriefStatement[][] = [];
  let before: BriefStatement | undefined;
  for (const statement of statements) {
    const open = joined.at(-1);
    const belongs =
      before !== undefined &&
      (statement.leansOn === before || answering.has(statement.id) || areTogether(before, statement, places));
    if (open === undefined || !belongs) joined.push([statement]);
    else open.push(statement);
    before = statement;
  }
  return withoutShortOnes(joined).flatMap(parted);
}

function areTogether(one: BriefStatement, other: BriefStatement, places: StatementPlaces): boolean {
  const [place, next] = [places[one.id]?.[0], places[other.id]?.[0]];
  if (place !== undefined && next !== undefined)
    return place.subtopicId === next.subtopicId && place.paragraph === next.paragraph;
  return one.finding.citations.some((id) => other.finding.citations.includes(id));
}

/** One that is too short goes with the one before it, the first with the one behind it. */
function withoutShortOnes(paragraphs: readonly BriefStatement[][]): BriefStatement[][] {
  const kept: BriefStatement[][] = [];
  for (const paragraph of paragraphs) {
    const last = kept.at(-1);
    if (last !== undefined && (last.length < FEWEST || paragraph.length < FEWEST) && last.length < MOST)
      last.push(...paragraph);
    else kept.push([...paragraph]);
  }
  return kept;
}

/** A long one in parts of much the same length, none of which begins with what leans on the part before. */
function parted(paragraph: BriefStatement[]): BriefStatement[][] {
  const parts = Math.ceil(paragraph.length / MOST);
  if (parts === 1) return [paragraph];
  const size = paragraph.length / parts;
  const cuts = Array.from({ length: parts - 1 }, (_, at) =>
    standingAt(paragraph, Math.round((at + 1) * size)),
  );
  return [0, ...cuts].map((from, at) => paragraph.slice(from, cuts[at])).filter((part) => part.length > 0);
}

function standingAt(paragraph: readonly BriefStatement[], wanted: number): number {
  let at = wanted;
  while (at > 0 && (paragraph[at]?.leansOn ?? null) !== null) at -= 1;
  return at;
}
