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
import { statementValues } from './statement-values';
import { tellConclusions } from './tell-conclusions';
import { tellSummary } from './tell-summary';
import { toldStatements } from './told-statements';

/**
 * Gives the summary and the conclusions a share of the words, and the rest to the subtopics: each tells what answers the
 * question and its own title best, in the order of its summary.
 */
export function planBriefExtractively(input: PlanBriefInput): PlanBriefOutput {
  const { question, subtopics, conflicts, places } = input;
  const titles = new Map(subtopics.map(({ id, title }) => [id, title]));
  const statements = briefStatements(subtopics, places);
  const values = statementValues(statements, question, titles);
  const against = disagreements(conflicts, statements);
  const frame = frameWords(input, statements);
  const planWith = (room: number): Drafted => {
    const chosen = chooseStatements({
      ...{ statements, values, room },
      against: counterparts(against, ({ id }) => values.get(id)?.keeping ?? 0),
    });
    const told = arrangeStatements([...chosen], disagreements(conflicts, [...chosen]));
    return drafted(input, { told, frame });
  };
  const first = planWith(frame.subtopics);
  // What the summary and the conclusions do not need the subtopics have.
  const unused = frame.summary + frame.conclusions - first.framing;
  const { parts } = unused > 0 ? planWith(frame.subtopics + unused) : first;
  return { title: titleOfQuestion(question), parts };
}

interface Drafted {
  parts: BriefPart[];
  /** The words that the summary and the conclusions have. */
  framing: number;
}

interface Chosen {
  told: ReadonlyMap<string, BriefStatement[]>;
  frame: ReturnType<typeof frameWords>;
}

function drafted(
  { question, parts, subtopics, conflicts }: PlanBriefInput,
  { told, frame }: Chosen,
): Drafted {
  const titles = new Map(subtopics.map(({ id, title }) => [id, title]));
  const plan = { title: question, parts: parts.map((part) => partOf(part, told.get(part.id) ?? [])) };
  const all = [...told.values()].flat();
  const statements = toldStatements(
    plan,
    all.map(({ finding }) => finding),
  );
  const overview = { question, statements, titles, conflicts };
  const summary = tellSummary({ ...overview, words: frame.summary });
  const pointed = summary.claims.flatMap(({ findingIds }) => findingIds);
  const conclusions = tellConclusions({ ...overview, words: frame.conclusions }, pointed);
  const framed = (part: BriefPart, words: number, draft: SectionDraft): BriefPart => ({
    ...part,
    words: Math.max(1, words),
    findingIds: draft.claims.flatMap(({ findingIds }) => findingIds),
  });
  return {
    parts: plan.parts.map((part) =>
      part.id === 'summary'
        ? framed(part, frame.summary, summary)
        : part.id === 'conclusions'
          ? framed(part, frame.conclusions, conclusions)
          : part,
    ),
    framing: wordsBetweenSpaces(summary.markdown) + wordsBetweenSpaces(conclusions.markdown),
  };
}

function partOf({ id, title }: { id: string; title: string }, own: readonly BriefStatement[]): BriefPart {
  const words = own.reduce((sum, one) => sum + one.words, 0);
  return { id, title, words: Math.max(1, words), guidance: '', findingIds: own.map((one) => one.id) };
}
