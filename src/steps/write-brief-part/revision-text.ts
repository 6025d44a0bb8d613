import { MAX_CRITIQUE_CHARS } from '../../core/budget/call-estimates';
import { replaceAsides, replaceMarks } from '../../core/text/citation-marks';
import type { CitableSource } from '../material/citable-source';
import { criticisedClaims } from '../material/criticised-claims';
import { materialBlock, promptLine } from '../material/material-block';
import { citedAs, type ShortIds } from '../material/short-ids';
import type { PartRevision } from './contract';

/** The text that stands, what is wrong with it, and that nothing else is to change. */
export function revisionText(
  revision: PartRevision,
  given: readonly CitableSource[],
  sources: ShortIds,
  mark: string,
): string {
  const naming = citedAs(sources, given);
  const audited = revision.critique === null ? '' : criticisedClaims(revision.critique, naming);
  const named = revision.problems.map(({ reason, quote }) => {
    const where = quote === null ? 'The whole part' : `“${promptLine(replaceMarks(quote, naming))}”`;
    return `- ${where}: ${promptLine(reason)}`;
  });
  const wrong = [...(audited === '' ? [] : [audited]), ...named].join('\n').slice(0, MAX_CRITIQUE_CHARS);
  return `${materialBlock(mark, 'text', standingText(revision.markdown, naming))}

${materialBlock(mark, 'critique', wrong || 'nothing')}

This part was written before; its text stands above, and after it what was found wrong with it. Write the whole part again and change only what is named there: say of these points only what the statements say, and cite the source that says it. Keep the rest word for word, with its citations and in its order.

`;
}

/** As a model would have written it: sources by their short names, nothing where a claim was set aside. */
export function standingText(markdown: string, naming: (ids: readonly string[]) => string): string {
  return replaceAsides(replaceMarks(markdown, naming), () => '').trim();
}
