import { briefTexts } from '../../../texts/brief';
import type { Encoder } from '../../../encoder/encoder';
import type { SectionDraft } from '../../../contracts/report/draft';
import type { WriteBriefPartInput } from '../../../steps/write-brief-part/contract';
import { nearStatements } from './near-statements';
import { tellConclusions } from './tell-conclusions';
import { tellSummary } from './tell-summary';
import { sourcesBehind, titlesOfSubtopics, toldStatements } from './told-statements';
import type { BriefPart } from '../../../contracts/brief/brief-plan';
import type { Conflict } from '../../../contracts/report/finding';
import { quotation } from '../../../core/writing/quotation';
import { type BriefStatement, briefStatements, type StatementPlaces } from './brief-statements';
import { citedSentence } from './cited-sentence';
import { disagreements } from './disagreements';
import { type Block, blocksOf } from './statement-blocks';

/** A part of a brief in the words of the summaries, with their citations. */
export async function writeBriefPartExtractively(
  input: WriteBriefPartInput,
  encoder: Encoder | null = null,
): Promise<SectionDraft> {
  const { question, plan, part, findings, conflicts } = input;
  if (part.id !== 'summary' && part.id !== 'conclusions') return tellSubtopic(input);
  const titles = titlesOfSubtopics(plan);
  const statements = toldStatements(plan, findings);
  const overview = {
    question,
    conflicts,
    titles,
    words: part.words,
    statements,
    sources: sourcesBehind(titles.keys(), findings),
    near: await nearStatements(
      encoder,
      question,
      statements.map(({ finding }) => finding),
    ),
  };
  const tell = part.id === 'summary' ? tellSummary : tellConclusions;
  return tell(overview);
}

/** A part's statements in the plan's order, word for word; what is told against the one before says where it was found. */
function tellSubtopic(input: WriteBriefPartInput): SectionDraft {
  const { part, findings, places, told } = input;
  // The summary points at what is told here; another subtopic's part tells it.
  const others = told.filter(({ partId }) => partId !== 'summary' && partId !== part.id);
  const said = new Set(others.flatMap(({ findingIds }) => findingIds));
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  const wanted = part.findingIds.flatMap((id) => byId.get(id) ?? []).filter(({ id }) => !said.has(id));
  const statements = briefStatements([{ id: part.id, findings: wanted }]);
  const leads = leadsOf(blocksOf(statements), input);
  const claims: SectionDraft['claims'] = [];
  const paragraphs = inParagraphs(statements, places, new Set(leads.keys())).map((paragraph) =>
    paragraph
      .map(({ id, finding }) => {
        const text = citedSentence(finding.claim, finding.citations);
        claims.push({ text, findingIds: [id] });
        const lead = leads.get(id);
        return lead === undefined ? text : `${lead} ${text}`;
      })
      .join(' '),
  );
  return {
    markdown: paragraphs.length === 0 ? briefTexts.nothingOwn : paragraphs.join('\n\n'),
    claims,
  };
}

/** What connects a statement with those before that it disagrees with, there or under another subtopic, by its id. */
function leadsOf(
  blocks: readonly Block[],
  { part, plan, conflicts }: WriteBriefPartInput,
): Map<string, string> {
  const against = disagreements(conflicts, blocks.flat());
  const titles = new Map(plan.parts.map(({ id, title }) => [id, title]));
  const bodies = plan.parts.filter(({ id }) => id !== 'summary' && id !== 'conclusions');
  const partOf = new Map(bodies.flatMap((body) => body.findingIds.map((id) => [id, body])));
  const leads = disputedElsewhere(blocks.flat(), conflicts, partOf);
  for (const [at, block] of blocks.entries()) {
    const [first] = block;
    const before = blocks[at - 1] ?? [];
    const disagree = against.some(({ sides }) =>
      sides.some(
        (side) =>
          side.some((one) => block.includes(one)) &&
          sides.some((other) => other !== side && other.some((one) => before.includes(one))),
      ),
    );
    if (!disagree || first === undefined) continue;
    const { sectionId } = first.finding;
    const title = sectionId === part.id ? undefined : titles.get(sectionId);
    leads.set(
      first.id,
      title === undefined ? briefTexts.otherwise : briefTexts.toldOtherwise(quotation(title)),
    );
  }
  return leads;
}

/** What is disputed under another subtopic says so, with its title where only one statement stands against it. */
function disputedElsewhere(
  own: readonly BriefStatement[],
  conflicts: readonly Conflict[],
  /** The part that tells a statement, by its id. */
  partOf: ReadonlyMap<string, BriefPart>,
): Map<string, string> {
  const told = new Set(own.map(({ id }) => id));
  return new Map(
    conflicts.flatMap(({ findingIds }) => {
      const others = findingIds.filter((id) => !told.has(id) && partOf.has(id));
      const title = findingIds.length === 2 ? partOf.get(others[0] ?? '')?.title : undefined;
      const lead = title === undefined ? briefTexts.disputed : briefTexts.disputedUnder(quotation(title));
      return others.length === 0 ? [] : findingIds.map((id): [string, string] => [id, lead]);
    }),
  );
}

const FEWEST = 2;
const MOST = 5;

/**
 * Statements in paragraphs of two to five, as their summary has them. Where that is not known a paragraph is what is told of
 * one source after another.
 */
function inParagraphs(
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
