import type { Evidence } from '../../contracts/report/finding';
import type { SourceWindow } from '../../contracts/source/passage';
import type { StepProblem } from '../step';

/** What is wrong with quotes that were to come word for word from the passages that the step was given. */
export function evidenceProblems(
  path: string,
  evidence: readonly Evidence[],
  windows: readonly SourceWindow[],
): StepProblem[] {
  const bySource = new Map(windows.map((window) => [window.sourceId, window]));
  return evidence.flatMap((item, index): StepProblem[] => {
    const itemPath = `${path}.evidence.${index}`;
    const window = bySource.get(item.sourceId);
    if (window === undefined) return [{ path: itemPath, message: `source ${item.sourceId} was not given` }];
    const passage = window.passages.find(
      (candidate) => candidate.start <= item.start && item.end <= candidate.end,
    );
    const found = passage?.text.slice(item.start - passage.start, item.end - passage.start);
    return found === item.quote
      ? []
      : [
          {
            path: itemPath,
            message: `the quote is not at ${item.start}–${item.end} of source ${item.sourceId}`,
          },
        ];
  });
}
