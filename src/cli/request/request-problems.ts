import { MAX_QUESTION_CHARS } from '../../contracts/report/report-start';
import { ChosenRunId } from '../../contracts/run/chosen-run-id';
import { RunId } from '../../contracts/run/run';
import { groupedDigits } from '../../core/values/grouped-digits';
import { shapeProblems } from '../../core/shapes/shape-problems';

export function questionProblems(question: string): string[] {
  const { length } = question.trim();
  if (length === 0) return ['QUESTION is empty: ask something, in quotation marks.'];
  return length > MAX_QUESTION_CHARS
    ? [
        `QUESTION has ${groupedDigits(length)} characters; at most ${groupedDigits(MAX_QUESTION_CHARS)} are allowed. Longer material belongs into the sources.`,
      ]
    : [];
}

export function runIdProblems(runId: string, name: string): string[] {
  return idProblems(RunId, runId, name);
}

export function chosenRunIdProblems(runId: string, name: string): string[] {
  return idProblems(ChosenRunId, runId, name);
}

function idProblems(schema: typeof RunId, runId: string, name: string): string[] {
  return shapeProblems([[name, schema, runId]]).map((problem) => `${problem}.`);
}
