import type { WriteBriefInput, WriteBriefOutput } from '../../../steps/write-brief/contract';
import { StepFailedError } from '../../step-failed-error';
import { createGrounding, isHeld } from '../grounding/grounding';
import { shortLine } from '../grounding/plain-line';
import { writeOnFindings } from '../text/write-on-findings';
import type { AskedText } from '../text/writing';
import { briefForm, findingsIn } from './brief-form';
import { createBriefWriter } from './brief-writer';

const MAX_TITLE_CHARS = 160;

/**
 * Writes a whole brief from one Markdown, part by part as it comes. Parts that it lacks are lacking; a list of sources that
 * it comes with is dropped. `onText` gets the parts under their titles.
 */
export async function runWriteBrief(
  asked: AskedText<WriteBriefInput, WriteBriefOutput>,
  input: WriteBriefInput,
  onText: (text: string) => void,
): Promise<WriteBriefOutput> {
  const planned = new Map<string, string>();
  for (const { id, findings } of input.subtopics) for (const finding of findings) planned.set(finding.id, id);
  for (const { id, findingIds } of input.plan.parts)
    if (id.startsWith('subtopic-')) for (const findingId of findingIds) planned.set(findingId, id);
  const homeOf = (findingId: string): string | undefined => planned.get(findingId);

  const titles: string[] = [];
  const writer = createBriefWriter(input.parts, homeOf, onText);
  const form = briefForm(writer, homeOf, (written) => void titles.push(written));
  await writeOnFindings(form, asked, input, writer);
  const parts = writer.drafts();
  const output = {
    title: titles.flatMap((written) => titleOf(written, input) ?? [])[0] ?? input.plan.title,
    parts,
  };
  const problems = asked.step.check(input, output);
  if (parts.every(({ draft }) => draft.claims.length === 0) && findingsIn(input).length > 0)
    problems.push({ path: 'parts', message: 'no sentence of it can be supported by the findings' });
  if (problems.length > 0) throw new StepFailedError(asked.step.name, problems);
  return output;
}

/** Null for a title that says what no statement says. */
export function titleOf(
  written: string,
  {
    question,
    subtopics,
    plan,
  }: Pick<WriteBriefInput, 'question' | 'subtopics'> & { plan?: { title: string } },
): string | null {
  const title = shortLine(written, MAX_TITLE_CHARS);
  const grounding = createGrounding([
    question,
    plan?.title ?? '',
    ...subtopics.flatMap(({ title: name, findings }) => [name, ...findings.map(({ claim }) => claim)]),
  ]);
  return /\p{L}/u.test(title) && isHeld(title, grounding) ? title : null;
}
