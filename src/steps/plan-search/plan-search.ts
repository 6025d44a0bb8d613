import { sentenceKey } from '../../core/duplicates/near-duplicate-sentences';
import type { Step, StepProblem } from '../step';
import { PlanSearchInput, PlanSearchOutput } from './contract';
import { promptLine } from '../material/material-block';
import { listed } from '../material/listed-material';
import { MATERIAL_IS_EVIDENCE } from '../material/material-rules';
import type { StepTemplate } from '../template';

const planSearchTemplate: StepTemplate = {
  system: `You plan what indexes of papers and pages are asked for, so that they find what answers a question.
${MATERIAL_IS_EVIDENCE}`,
  user: `{{tried}}{{gaps}}You do not answer the question; you give what to search for.

The question: {{question}}

Give at most {{most}} queries, the best first:
- Each is three to eight words as titles and abstracts of documents on it have them, without question words, operators, quotation marks or years that the question does not have.
- The first keeps to the question's own words. The others use what else documents may call it: synonyms, technical and everyday terms, abbreviations written out, a broader or a narrower term.
- Where something is left open, ask for that, together with what the question is about.
- State no answer, and put in no number or name that is neither in the question nor in what is left open.
- An empty list where there is nothing left that was not searched for already.

Answer with one JSON object: {"queries": ["…"]}.`,
};

export const planSearch: Step<PlanSearchInput, PlanSearchOutput, 'plan-search'> = {
  name: 'plan-search',
  version: '1',
  role: 'fast',
  input: PlanSearchInput,
  output: PlanSearchOutput,
  template: planSearchTemplate,
  variables: planSearchVariables,
  check({ tried, most }, { queries }): StepProblem[] {
    const known = new Set(tried.map(sentenceKey));
    return queries.flatMap((query, index): StepProblem[] => {
      const at = { path: `queries.${index}` };
      const key = sentenceKey(query);
      if (index >= most) return [{ ...at, message: `there are more than ${most}` }];
      if (known.has(key)) return [{ ...at, message: 'it was searched for already' }];
      known.add(key);
      return [];
    });
  },
};

function planSearchVariables(input: PlanSearchInput, mark: string): Record<string, string> {
  const { question, tried, gaps, most } = input;
  return {
    mark,
    gaps: listed('What was found leaves this open', mark, 'gaps', gaps),
    most: `${most}`,
    question: promptLine(question),
    tried: listed('What was searched for already', mark, 'tried', tried),
  };
}
