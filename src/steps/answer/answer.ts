import { citedIds } from '../../core/text/citation-marks';
import { AnswerInput, AnswerOutput } from './contract';
import { answerTemplate, answerVariables, synthesisPrompt } from './prompt';
import type { Step, StepProblem } from '../step';

export const answer: Step<AnswerInput, AnswerOutput, 'answer'> = {
  name: 'answer',
  version: '3',
  role: 'fast',
  input: AnswerInput,
  output: AnswerOutput,
  template: answerTemplate,
  knownPrompt: synthesisPrompt,
  variables: answerVariables,
  check({ passages }, { markdown, sentences }): StepProblem[] {
    const problems: StepProblem[] = [];
    const known = new Set(passages.map(({ id }) => id));
    for (const id of new Set([...citedIds(markdown), ...sentences.flatMap(({ passageIds }) => passageIds)])) {
      if (!known.has(id)) problems.push({ path: 'markdown', message: `there is no passage ${id}` });
    }
    let from = 0;
    sentences.forEach(({ text, isClaim, passageIds }, index) => {
      const path = `sentences.${index}`;
      const at = markdown.indexOf(text, from);
      if (at < 0) problems.push({ path, message: 'its text is not in the Markdown at its turn' });
      else from = at + text.length;
      if (isClaim && passageIds.length === 0)
        problems.push({ path, message: 'it is a claim and cites no passage' });
      if (!isClaim && passageIds.length > 0)
        problems.push({ path, message: 'it cites a passage and is no claim' });
    });
    return problems;
  },
};
