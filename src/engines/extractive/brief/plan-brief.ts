import type { Encoder } from '../../../encoder/encoder';
import type { BriefPart } from '../../../contracts/brief/brief-plan';
import type { SectionDraft } from '../../../contracts/report/draft';
import type { PlanBriefInput, PlanBriefOutput } from '../../../steps/plan-brief/contract';
import { arrangeStatements } from './arrange-statements';
import { type BriefStatement, briefStatements } from './brief-statements';
import { titleOfQuestion } from './brief-title';
import { chooseStatements } from './choose-statements';
import { wordsBetweenSpaces } from './cited-sentence';
import { counterparts, disagreements } from './disagreements';
import { frameWords } from './frame-words';
import { nearStatements, type NearStatements } from './near-statements';
import { type DraftedPlan, planWithin, roomOf } from './plan-within';
import { statementValues } from './statement-values';
import { tellConclusions } from './tell-conclusions';
import { tellSummary } from './tell-summary';
import { sourcesBehind, toldStatements } from './told-statements';

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
