import { sentenceKey } from '../../core/duplicates/near-duplicate-sentences';
import { RewriteQuestionInput, RewriteQuestionOutput, MAX_REWRITES } from './contract';
import type { Step, StepProblem } from '../step';
import { conversationText } from '../material/conversation-text';
import { promptLine } from '../material/material-block';
import { listed } from '../material/listed-material';
import { PASSAGE_SYSTEM } from '../material/material-rules';
import type { StepTemplate } from '../template';

const rewriteQuestionTemplate: StepTemplate = {
  system: PASSAGE_SYSTEM,
  user: `{{conversation}}{{tried}}{{found}}{{gaps}}You word a question otherwise, so that a search by words finds passages that its own words do not find. You do not answer it.

The question: {{question}}

Give at most ${MAX_REWRITES} wordings, the best first, each of which can be understood by itself:
- Put in what the question leaves to the conversation: after "Does vitamin D help bones in women?" the question "And in children?" is "Does vitamin D help bones in children?". Keep what it asks about whom, what, where and when.
- Use other words that documents on it may use: synonyms, technical and everyday terms, abbreviations written out and the other way round, a broader or a narrower term. No two wordings use the same words.
- State no answer, and put in no number, name or date that is neither in the question nor in the conversation.
- An empty list where the question cannot be worded better.

Answer with one JSON object: {"queries": ["…"]}.`,
};

export const rewriteQuestion: Step<RewriteQuestionInput, RewriteQuestionOutput, 'rewrite-question'> = {
  name: 'rewrite-question',
  version: '1',
  role: 'fast',
  input: RewriteQuestionInput,
  output: RewriteQuestionOutput,
  template: rewriteQuestionTemplate,
  variables: rewriteQuestionVariables,
  check({ question, tried }, { queries }): StepProblem[] {
    const known = new Set([question, ...tried].map(sentenceKey));
    return queries.flatMap((query, index): StepProblem[] => {
      const key = sentenceKey(query);
      if (known.has(key)) return [{ path: `queries.${index}`, message: 'it was looked for already' }];
      known.add(key);
      return [];
    });
  },
};

function rewriteQuestionVariables(input: RewriteQuestionInput, mark: string): Record<string, string> {
  const { history, question, tried, found, gaps } = input;
  return {
    mark,
    conversation: conversationText(history, mark),
    found: listed('What a search has found, which did not answer it well', mark, 'found', found),
    gaps: listed('What was missing in it', mark, 'gaps', gaps),
    question: promptLine(question),
    tried: listed('What was searched for already', mark, 'tried', tried),
  };
}
