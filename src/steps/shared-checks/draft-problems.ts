import type { SectionDraft } from '../../contracts/report/draft';
import { citedIds } from '../../core/text/citation-marks';
import type { StepProblem } from '../step';

/** What is wrong with a text on findings: what it cites and rests on has to have been given, and claims have to stand in it. */
export function draftProblems(
  { sources, findings }: { sources: readonly { sourceId: string }[]; findings: readonly { id: string }[] },
  { markdown, claims }: SectionDraft,
): StepProblem[] {
  const problems: StepProblem[] = [];
  const citable = new Set(sources.map((source) => source.sourceId));
  const known = new Set(findings.map((finding) => finding.id));
  for (const id of citedIds(markdown)) {
    if (!citable.has(id))
      problems.push({ path: 'markdown', message: `source ${id} is cited, but was not given` });
  }
  let from = 0;
  claims.forEach((claim, index) => {
    const at = markdown.indexOf(claim.text, from);
    if (at < 0)
      problems.push({ path: `claims.${index}`, message: 'its text is not in the Markdown at its turn' });
    else from = at + claim.text.length;
    if (citedIds(claim.text).length === 0)
      problems.push({ path: `claims.${index}`, message: 'it cites no source' });
    for (const id of claim.findingIds) {
      if (!known.has(id))
        problems.push({ path: `claims.${index}`, message: `${id} is not one of the findings` });
    }
  });
  return problems;
}
