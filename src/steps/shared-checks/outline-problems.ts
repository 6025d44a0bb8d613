import type { OutlinePlan } from '../../contracts/report/outline';
import type { StepProblem } from '../step';

/** What the schema cannot see of a plan: ids and titles used twice, sources that are not known, sections without any. */
export function outlineProblems(
  { sections, unanswered }: OutlinePlan,
  known: ReadonlySet<string>,
): StepProblem[] {
  const problems: StepProblem[] = (unanswered?.nearest ?? [])
    .filter((id) => !known.has(id))
    .map((id) => ({ path: 'unanswered', message: `source ${id} is not among the sources` }));
  const ids = new Set<string>();
  const titles = new Set<string>();
  for (const { id, title, relevantSources, subsections } of sections) {
    const path = `sections.${id}`;
    if (ids.has(id)) problems.push({ path, message: 'the id is used twice' });
    if (titles.has(title.toLowerCase())) problems.push({ path, message: 'the title is used twice' });
    ids.add(id);
    titles.add(title.toLowerCase());
    const mentioned = [
      ...relevantSources.map(({ sourceId }) => sourceId),
      ...subsections.flatMap(({ sourceIds }) => sourceIds),
    ];
    for (const sourceId of mentioned.filter((mention) => !known.has(mention))) {
      problems.push({ path, message: `source ${sourceId} is not among the sources` });
    }
    if (relevantSources.length === 0) problems.push({ path, message: 'no source supports the section' });
  }
  return problems;
}
