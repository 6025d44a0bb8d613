import type { Critique, CriticisedClaim } from '../../contracts/verification/critique';
import { promptLine } from './material-block';

/**
 * What was wrong with an earlier text, as lists under their headings; empty where nothing is told. `naming` writes the names
 * by which the prompt knows what ids stand for, and leaves out those that it does not know.
 */
export function criticisedClaims(
  critique: Partial<Critique>,
  naming: (ids: readonly string[]) => string,
): string {
  const claims = (wrong: readonly CriticisedClaim[]): string[] =>
    wrong.map(({ text, sourceIds, reason, evidence, betterSourceId }) => {
      const said = evidence === null ? '' : ` The quote says: “${promptLine(evidence.quote)}”`;
      const better = naming(betterSourceId === undefined ? [] : [betterSourceId]);
      const where = better === '' ? '' : ` ${better} says something nearer to it.`;
      return `“${promptLine(text)}” ${naming(sourceIds)}: ${promptLine(reason)}${where}${said}`;
    });
  const {
    unsupportedClaims = [],
    conflictingEvidence = [],
    logicalGaps = [],
    missingCitations = [],
  } = critique;
  return [
    listed(
      'What they cite does not support these claims, or only a part of them:',
      claims(unsupportedClaims),
    ),
    listed('What they cite contradicts these claims:', claims(conflictingEvidence)),
    listed('This does not follow, or is lacking:', logicalGaps.map(promptLine)),
    listed('These sentences state something and cite nothing:', missingCitations.map(promptLine)),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function listed(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [title, ...lines.map((line) => `- ${line}`)].join('\n');
}
