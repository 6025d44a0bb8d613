import { z } from 'zod';
import { AnswerMessage } from '../contracts/start';
import { sentenceKey } from '../text/duplicates';
import {
  conversationText,
  MATERIAL_IS_EVIDENCE,
  PASSAGE_SYSTEM,
  promptLine,
  titledMaterial,
} from './material';
import type { Step, StepProblem, StepTemplate } from './step';

export const PlanSearchInput = z.object({
  question: z.string(),
  tried: z.array(z.string()),
  gaps: z.array(z.string()),
  most: z.int().positive(),
});
export type PlanSearchInput = z.infer<typeof PlanSearchInput>;

export const PlanSearchOutput = z.object({
  /** Best first; empty if nothing new is left to search. */
  queries: z.array(z.string().min(1).max(300)),
});
export type PlanSearchOutput = z.infer<typeof PlanSearchOutput>;

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
    gaps: titledMaterial('What was found leaves this open', mark, 'gaps', gaps),
    most: `${most}`,
    question: promptLine(question),
    tried: titledMaterial('What was searched for already', mark, 'tried', tried),
  };
}

export const MAX_REWRITES = 3;

export const RewriteQuestionInput = z.object({
  question: z.string(),
  history: z.array(AnswerMessage),
  tried: z.array(z.string()),
  found: z.array(z.string()),
  gaps: z.array(z.string()),
});
export type RewriteQuestionInput = z.infer<typeof RewriteQuestionInput>;

export const RewriteQuestionOutput = z.object({
  /** Empty if no better wording exists. */
  queries: z.array(z.string().min(1)).max(MAX_REWRITES),
});
export type RewriteQuestionOutput = z.infer<typeof RewriteQuestionOutput>;

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
    found: titledMaterial('What a search has found, which did not answer it well', mark, 'found', found),
    gaps: titledMaterial('What was missing in it', mark, 'gaps', gaps),
    question: promptLine(question),
    tried: titledMaterial('What was searched for already', mark, 'tried', tried),
  };
}
