import type { CriticisedClaim } from '../../contracts/verification/critique';
import { materialBlock, promptLine } from '../material/material-block';
import type { ShortIds } from '../material/short-ids';
import type { WriteSectionInput } from './contract';

/** What was wrong with an earlier text, in words; nothing where there was none. */
export function critiqueText(
  { critique, sources: given }: Pick<WriteSectionInput, 'critique' | 'sources'>,
  sources: ShortIds,
  mark: string,
): string {
  if (critique === undefined) return '';
  const known = new Set(given.map(({ sourceId }) => sourceId));
  const naming = (ids: readonly string[]): string =>
    ids
      .filter((id) => known.has(id))
      .map((id) => `[${sources.shortOf(id)}]`)
      .join('');
  const claims = (wrong: readonly CriticisedClaim[]): string[] =>
    wrong.map(({ text, sourceIds, reason, evidence, betterSourceId }) => {
      const said = evidence === null ? '' : ` The quote says: “${promptLine(evidence.quote)}”`;
      const better = naming(betterSourceId === undefined ? [] : [betterSourceId]);
      const where = better === '' ? '' : ` ${better} says something nearer to it.`;
      return `“${promptLine(text)}” ${naming(sourceIds)}: ${promptLine(reason)}${where}${said}`;
    });
  const parts = [
    listed(
      'What they cite does not support these claims, or only a part of them:',
      claims(critique.unsupportedClaims),
    ),
    listed('What they cite contradicts these claims:', claims(critique.conflictingEvidence)),
    listed('This does not follow, or is lacking:', critique.logicalGaps.map(promptLine)),
    listed('These sentences state something and cite nothing:', critique.missingCitations.map(promptLine)),
  ].filter((part) => part !== '');
  return `An earlier text of this section was audited, and this was wrong with it:
${materialBlock(mark, 'critique', parts.join('\n'))}
Write the section anew without these errors: say of these points only what the quotes say, keep to their words, and cite the source that says it. What was not criticised was right; tell it again.

`;
}

function listed(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [title, ...lines.map((line) => `- ${line}`)].join('\n');
}
