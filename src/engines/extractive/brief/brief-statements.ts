import type { BriefMaterial } from '../../../contracts/brief/brief-material';
import type { Finding } from '../../../contracts/report/finding';
import { leansOnBefore } from '../../../language/leaning';
import { wordsTold } from './cited-sentence';

/** A statement of a summary as a brief may tell it. */
export interface BriefStatement {
  id: string;
  finding: Finding;
  subtopicId: string;
  /** Its place among all statements of the brief. */
  at: number;
  /** As it is told, citations included. */
  words: number;
  /** The statement before it, which it leans on: told with it or not at all. */
  leansOn: BriefStatement | null;
}

export type StatementPlaces = BriefMaterial['places'];

interface SubtopicStatements {
  id: string;
  findings: readonly Finding[];
}

/**
 * The statements of all subtopics in their order, each with what it leans on. What leans on a sentence that is told under
 * another subtopic, or that was set aside, cannot be told and is left out.
 */
export function briefStatements(
  subtopics: readonly SubtopicStatements[],
  places: StatementPlaces = {},
): BriefStatement[] {
  const all: BriefStatement[] = [];
  const before = sentencesBefore(places);
  for (const { id: subtopicId, findings } of subtopics) {
    let previous: BriefStatement | null = null;
    let isBroken = false;
    for (const finding of findings) {
      const leans = leansOnBefore(finding.claim);
      const known = before.get(finding.id);
      const follows = known === undefined || known === previous?.id;
      const isLost: boolean = leans && (isBroken || (known !== null && !follows));
      isBroken = isLost;
      if (isLost) continue;
      const leansOn: BriefStatement | null = leans ? previous : null;
      previous = { id: finding.id, finding, subtopicId, at: all.length, words: wordsTold(finding), leansOn };
      all.push(previous);
    }
  }
  return all;
}

/** Marks and links between two sentences are no longer; beyond it something was left out. */
const FARTHEST = 300;

/** For each finding the one whose sentence stands before it in its own summary; null where it opens it. */
function sentencesBefore(places: StatementPlaces): Map<string, string | null> {
  const standing = Object.entries(places).flatMap(([id, own]) =>
    own.map((place, at) => ({ id, isOwn: at === 0, ...place })),
  );
  standing.sort(
    (a, b) => (a.subtopicId < b.subtopicId ? -1 : a.subtopicId > b.subtopicId ? 1 : 0) || a.start - b.start,
  );
  const before = new Map<string, string | null>();
  for (const [at, { id, isOwn, subtopicId, start }] of standing.entries()) {
    const previous = standing[at - 1];
    const isFirst = previous?.subtopicId !== subtopicId;
    const gap = start - (isFirst ? 0 : previous.end);
    if (isOwn) before.set(id, gap > FARTHEST ? '' : isFirst ? null : previous.id);
  }
  return before;
}

/** A statement with all that it leans on, in their order. */
export function withWhatItLeansOn(statement: BriefStatement): BriefStatement[] {
  const chain: BriefStatement[] = [];
  for (let one: BriefStatement | null = statement; one !== null; one = one.leansOn) chain.unshift(one);
  return chain;
}
