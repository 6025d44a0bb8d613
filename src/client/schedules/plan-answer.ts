import { answerProblems } from '../answer/answer-problems';
import type { AnswerRequest } from '../answer/answer-request';
import { answerInput, settledQuestion } from '../answer/plan-answer';
import { storeMaterial } from '../answer/store-material';
import { InvalidRequestError } from '../run-errors';
import { absolute, checkedFiles, NO_ID_YET, type PlannedRun } from './planned-run';

/** An answer of a schedule. Rejects as `startAnswer` does. */
export async function planScheduledAnswer(request: AnswerRequest): Promise<PlannedRun> {
  const { asOf, sources, engine = 'extractive' } = request;
  const problems = [
    ...answerProblems(request, NO_ID_YET, asOf ?? new Date().toISOString()),
    ...(sources !== undefined && 'paths' in sources && request.documents !== undefined
      ? ['documents and paths are both given: a schedule reads paths when it fires, so give one of them']
      : []),
  ];
  if (problems.length > 0) throw new InvalidRequestError(problems);
  const { question, history } = settledQuestion(request);
  const paths = sources !== undefined && 'paths' in sources ? absolute(sources.paths) : [];
  const found = paths.length === 0 ? null : await checkedFiles(paths, sources?.skipInvalid);
  return {
    kind: 'answer',
    question,
    engine,
    paths,
    async store(content, keptAs) {
      const { sources: given, ...rest } = request;
      const kept = found === null && given !== undefined ? { ...rest, sources: given } : rest;
      const { input } = await storeMaterial(content, kept, { requestId: keptAs, history });
      const {
        runId: _id,
        shape: _shape,
        stepVersions: _versions,
        ...fixed
      } = answerInput(request, { requestId: NO_ID_YET, question });
      return {
        run: { kind: 'answer', input: { ...fixed, ...input, ...(asOf === undefined ? {} : { asOf }) } },
        sources: found,
        subtopics: null,
      };
    },
  };
}
