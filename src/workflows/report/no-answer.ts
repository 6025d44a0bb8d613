import { noAnswerSentence } from '../../core/report/no-answer-sentence';
import type { ReportRun } from './report-run';

/** Nothing answers: no further pass has anything to do, and the report says so and ends partial. */
export async function tellNoAnswer(run: ReportRun): Promise<void> {
  run.carried.noAnswer = true;
  await run.warn({ code: 'no-answer', message: noAnswerSentence(run.input.question) });
}
