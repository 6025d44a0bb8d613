import type { AnswerHandle } from '../../client/answer/answer-request';
import { RunWithoutAnswerError } from '../../client/run-errors';
import type { CommandContext } from '../command-context';
import { ExitCode } from '../exit-code';
import { listAnswerClaims } from './answer-claims';
import { belowAnswer } from './answer-lines';
import { claimsText } from './claims-text';
import { printAnswer } from './print-answer';

/** Prints a kept answer, its JSON, or its claims with what was found of each. */
export async function showAnswer(
  { terminal }: CommandContext,
  request: AnswerHandle,
  { json, claims, shown = '' }: { json: boolean; claims: boolean; shown?: string },
): Promise<ExitCode> {
  const answer = await request.reply();
  if (answer === null) {
    const { status } = await request.progress({ fromRecords: true });
    throw new RunWithoutAnswerError(request.runId, status, undefined);
  }
  if (claims) {
    const listing = listAnswerClaims(answer);
    if (json) terminal.printJson(listing);
    else
      claimsText(listing, { width: terminal.width, emphasise: terminal.colours.bold }).forEach(
        terminal.print,
      );
  } else if (json) terminal.printJson(answer);
  else printAnswer(terminal, answer, { shown, below: belowAnswer(answer) });
  return ExitCode.ok;
}
