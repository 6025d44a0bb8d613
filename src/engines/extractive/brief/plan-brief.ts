import type { Encoder } from '../../../encoder/encoder';
import type { BriefPart } from '../../../contracts/brief/brief-plan';
import type { SectionDraft } from '../../../contracts/report/draft';
import type { PlanBriefInput, PlanBriefOutput } from '../../../steps/plan-brief/contract';
import { type BriefStatement, briefStatements } from './brief-statements';
import { titleOfQuestion } from './brief-title';
import { chooseStatements } from './choose-statements';
import { wordsBetweenSpaces } from './cited-sentence';
import { counterparts, disagreements, type Disagreement } from './disagreements';
import { nearStatements, type NearStatements } from './near-statements';
import { statementValues } from './statement-values';
import { tellConclusions } from './tell-conclusions';
import { tellSummary } from './tell-summary';
import { sourcesBehind, toldStatements } from './told-statements';
import { groupedBy } from '../../../core/values/grouped-by';
import { type Block, blocksOf } from './statement-blocks';

/**
 * Gives the summary and the conclusions a share of the words, and the rest to the subtopics: each tells what answers the
 * question and its own title best, in the order of its summary.
 */
export async function planBriefExtractively(
  input: PlanBriefInput,
  encoder: Encoder | null = null,
): Promise<PlanBriefOutput> {
  const { question, subtopics, conflicts, places } = input;
  const titles = new Map(subtopics.map(({ id, title }) => [id, title]));
  const statements = briefStatements(subtopics, places);
  const near = await nearStatements(
    encoder,
    question,
    statements.map(({ finding }) => finding),
  );
  const values = statementValues(statements, question, titles, near);
  const against = disagreements(conflicts, statements);
  const room = roomOf(input);
  const frame = frameWords({ ...input, words: room.wanted, maxWords: room.most }, statements);
  const { parts } = planWithin(room, frame.subtopics, (words) => {
    const chosen = chooseStatements({
      statements,
      values,
      room: words,
      against: counterparts(against, ({ id }) => values.get(id)?.keeping ?? 0),
    });
    const told = arrangeStatements([...chosen], disagreements(conflicts, [...chosen]));
    return drafted(input, { told, frame, near });
  });
  return { title: titleOfQuestion(question), parts };
}

interface Chosen {
  told: ReadonlyMap<string, BriefStatement[]>;
  frame: ReturnType<typeof frameWords>;
  near: NearStatements;
}

function drafted(
  { question, parts, subtopics, conflicts }: PlanBriefInput,
  { told, frame, near }: Chosen,
): DraftedPlan {
  const titles = new Map(subtopics.map(({ id, title }) => [id, title]));
  const plan = { title: question, parts: parts.map((part) => partOf(part, told.get(part.id) ?? [])) };
  const all = [...told.values()].flat();
  const statements = toldStatements(
    plan,
    all.map(({ finding }) => finding),
  );
  const findings = subtopics.flatMap((subtopic) => subtopic.findings);
  const sources = sourcesBehind(titles.keys(), findings);
  const overview = { question, statements, titles, sources, conflicts, near };
  const summary = tellSummary({ ...overview, words: frame.summary });
  const conclusions = tellConclusions({ ...overview, words: frame.conclusions });
  const framed = (part: BriefPart, words: number, draft: SectionDraft): BriefPart => ({
    ...part,
    words: Math.max(1, words),
    findingIds: draft.claims.flatMap(({ findingIds }) => findingIds),
  });
  const drafts = plan.parts.map((part) =>
    part.id === 'summary'
      ? framed(part, frame.summary, summary)
      : part.id === 'conclusions'
        ? framed(part, frame.conclusions, conclusions)
        : part,
  );
  const subtopicWords = all.reduce((sum, one) => sum + one.words, 0);
  return {
    parts: drafts,
    words: [summary, conclusions].reduce(
      (sum, { markdown }) => sum + wordsBetweenSpaces(markdown),
      subtopicWords,
    ),
    cited: new Set(all.flatMap(({ finding }) => finding.citations)),
  };
}

function partOf({ id, title }: { id: string; title: string }, own: readonly BriefStatement[]): BriefPart {
  const words = own.reduce((sum, one) => sum + one.words, 0);
  return { id, title, words: Math.max(1, words), guidance: '', findingIds: own.map((one) => one.id) };
}

/** The words of the parts of a brief: of its summary, of its conclusions, of its subtopics together. */
interface FrameWords {
  summary: number;
  conclusions: number;
  subtopics: number;
}

/** A share of all words, within what two or three paragraphs are read in. */
const SUMMARY = { share: 0.15, least: 140, most: 330 };
const CONCLUSIONS = { share: 0.1, least: 100, most: 200 };
/** However few words there are, the subtopics have so much of them. */
const SUBTOPICS_LEAST = 0.55;

/** How the words are parted. Where none are wanted there are as many as the material has, up to the most. */
function frameWords(
  { words, maxWords, parts }: { words: number | null; maxWords: number; parts: readonly { id: string }[] },
  statements: readonly BriefStatement[],
): FrameWords {
  const material = statements.reduce((sum, statement) => sum + statement.words, 0);
  const most = words ?? maxWords;
  const told = Math.min(most, material);
  const wanted = (id: string, { share, least, most: limit }: typeof SUMMARY): number =>
    parts.some((part) => part.id === id) ? Math.min(limit, Math.max(least, Math.round(share * told))) : 0;
  const [summary, conclusions] = [wanted('summary', SUMMARY), wanted('conclusions', CONCLUSIONS)];
  const scale = Math.min(1, ((1 - SUBTOPICS_LEAST) * most) / Math.max(1, summary + conclusions));
  const frame = { summary: Math.round(scale * summary), conclusions: Math.round(scale * conclusions) };
  return { ...frame, subtopics: most - frame.summary - frame.conclusions };
}

/**
 * The chosen statements by the subtopic under which they are told. They keep their order, but what disagrees with an earlier one
 * of its subtopic stands right behind that; statements that lean on each other stay together.
 */
function arrangeStatements(
  chosen: readonly BriefStatement[],
  against: readonly Disagreement[],
): Map<string, BriefStatement[]> {
  const blocks = blocksOf([...chosen].sort((a, b) => a.at - b.at));
  const blockOf = new Map(blocks.flatMap((block) => block.map(({ id }) => [id, block] as const)));
  const behind = new Map<Block, Block[]>();
  const moved = new Set<Block>();
  for (const { sides } of against) {
    const views = sides.flatMap(([first]) => {
      const block = blockOf.get(first?.id ?? '');
      return block === undefined ? [] : [block];
    });
    const [anchor, ...others] = [...new Set(views)].sort((a, b) => placeOf(a) - placeOf(b));
    if (anchor === undefined || moved.has(anchor)) continue;
    const free = others.filter(
      (other) => isOfOneSubtopic(anchor, other) && !moved.has(other) && !behind.has(other),
    );
    for (const other of free) moved.add(other);
    if (free.length > 0) behind.set(anchor, [...(behind.get(anchor) ?? []), ...free]);
  }
  const staying = blocks.filter((block) => !moved.has(block));
  const bySubtopic = groupedBy(staying, ([first]) => first?.subtopicId ?? '');
  const withViews = (own: readonly Block[]): BriefStatement[] =>
    own.flatMap((block) => [...block, ...(behind.get(block) ?? []).flat()]);
  return new Map([...bySubtopic].map(([id, own]) => [id, withViews(own)]));
}

function isOfOneSubtopic([one]: Block, [other]: Block): boolean {
  return one?.subtopicId === other?.subtopicId;
}

function placeOf([first]: Block): number {
  return first?.at ?? 0;
}

/** A plan with what its text would have. */
interface DraftedPlan {
  parts: BriefPart[];
  words: number;
  /** The ids of the sources that it cites: those that are listed. */
  cited: ReadonlySet<string>;
}

/** The words that there are for the parts and the list of sources together. */
interface Room {
  /** Null for as many as it takes. */
  wanted: number | null;
  most: number;
  /** What a source's line in the list has, by its id. */
  lines: Readonly<Record<string, number>>;
}

function roomOf({ words, maxWords, list }: PlanBriefInput): Room {
  return { wanted: list?.words ?? words, most: list?.maxWords ?? maxWords, lines: list?.lines ?? {} };
}

const MOST_TRIES = 8;
const CLOSE = 0.01;

/**
 * The plan that comes nearest to the words there are. How many the list of sources takes, and how many the summary and the conclusions
 * leave over, is known only of a plan: each one says how much room the next one has.
 */
function planWithin(
  { wanted, most, lines }: Room,
  first: number,
  planWith: (room: number) => DraftedPlan,
): DraftedPlan {
  const target = wanted ?? most;
  const offBy = (plan: DraftedPlan): number =>
    [...plan.cited].reduce((sum, id) => sum + (lines[id] ?? 0), plan.words) - target;
  let room = first;
  let best = planWith(room);
  for (let tried = 1, last = best; tried < MOST_TRIES && Math.abs(offBy(last)) > CLOSE * target; tried += 1) {
    const next = Math.max(1, room - offBy(last));
    last = planWith(next);
    if (Math.abs(offBy(last)) < Math.abs(offBy(best))) best = last;
    // More room that changes nothing: all is told.
    if (next > room && offBy(last) < 0 && last.words === best.words && last !== best) break;
    room = next;
  }
  return best;
}
