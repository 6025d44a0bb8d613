import { materialBlock, promptLine } from './material-block';
import type { NamedProblem } from './named-problem';

/** What a judge named of an earlier text, for who writes it anew; nothing where there was no judge. */
export function problemsText(
  what: 'section' | 'summary',
  problems: readonly NamedProblem[] | undefined,
  mark: string,
): string {
  if (problems === undefined || problems.length === 0) return '';
  const lines = problems.map(({ reason, quote }) => {
    const meant = quote === null ? '' : ` It means: “${promptLine(quote)}”`;
    return `- ${promptLine(reason)}${meant}`;
  });
  return `The whole report was judged, and this was said of an earlier text of this ${what}:
${materialBlock(mark, 'judgement', lines.join('\n'))}
Write the ${what} anew without these faults. Where it lacks something, tell it from the material; where a side is missing, tell both. What was not named was good; tell it again.

`;
}
