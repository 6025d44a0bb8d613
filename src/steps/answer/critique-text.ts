import { criticisedClaims } from '../material/criticised-claims';
import { materialBlock } from '../material/material-block';
import type { AnswerInput } from './contract';
import { numberedPassages } from './passage-context';

/** What was wrong with an earlier answer, in words; nothing where none is told. */
export function critiqueText(input: AnswerInput, mark: string): string {
  const { critique } = input;
  if (critique === undefined) return '';
  const numbers = new Map(numberedPassages(input).map(({ id }, at) => [id, at + 1]));
  const naming = (ids: readonly string[]): string =>
    ids.flatMap((id) => (numbers.has(id) ? [`[${numbers.get(id)}]`] : [])).join('');
  const invented = critique.hallucinationDetected === true ? 'It states what the passages do not say.' : '';
  const wrong = [invented, criticisedClaims(critique, naming)].filter((part) => part !== '').join('\n');
  if (wrong === '') return '';
  return `An earlier answer was audited, and this was wrong with it:
${materialBlock(mark, 'critique', wrong)}
Correct these issues: say of these points only what the passages say, in their words and with the passage that says it, or leave them out. What was not criticised was right; tell it again.

`;
}
