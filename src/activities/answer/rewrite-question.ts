import { z } from 'zod';
import { RetrievedPassages } from '../../contracts/answer/answer-passage';
import { AnswerMessage } from '../../contracts/answer/message';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { Critique } from '../../contracts/verification/critique';
import { ANSWER_TEXT } from '../../core/settled-text/answer-text';
import { rewriteQuestion as rewriteQuestionStep } from '../../steps/rewrite-question/rewrite-question';
import { readIfAny } from '../shared/artifacts';
import type { ActivityPorts } from '../shared/ports';
import { runStep, type Spent } from '../shared/run-step';
import { type AnswerFacts } from './answer-facts';

export interface RewriteQuestionInput {
  run: AnswerFacts;
  attempt: number;
  historyRef: ArtifactRef | null;
  queries: string[];
  /** What was found by it; null before anything was looked for. */
  passagesRef: ArtifactRef | null;
  critiqueRef: ArtifactRef | null;
}

export interface RewrittenQuestion extends Spent {
  queries: string[];
}

export async function rewriteQuestion(
  ports: ActivityPorts,
  { run, attempt, historyRef, queries, passagesRef, critiqueRef }: RewriteQuestionInput,
  signal: AbortSignal,
): Promise<RewrittenQuestion> {
  const { content } = ports;
  const history = (await readIfAny(content, historyRef, z.array(AnswerMessage))) ?? [];
  const found = await readIfAny(content, passagesRef, RetrievedPassages);
  const critique = await readIfAny(content, critiqueRef, Critique);
  const { output, usage, warnings } = await runStep(
    ports,
    run,
    rewriteQuestionStep,
    {
      question: run.question,
      history,
      tried: queries,
      found: [...new Set((found?.passages ?? []).map(({ title }) => title))],
      gaps: critique?.logicalGaps ?? [],
    },
    { place: { pass: 0, section: ANSWER_TEXT, revision: attempt - 1 }, signal },
  );
  return { queries: output.queries, usage, warnings };
}
