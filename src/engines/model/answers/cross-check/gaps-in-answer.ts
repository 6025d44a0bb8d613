import type { Gap } from '../../../../contracts/report/finding';
import { echoProblem } from '../../grounding/echoes';
import { isAskable } from '../../grounding/grounding';
import { shortLine } from '../../grounding/plain-line';
import { optionalItems } from '../reading';
import { GapItem } from './answered-checks';
import { type CheckReading, MAX_LINE_CHARS } from './check-reading';

const NOT_ANSWERED = 'No source that was read answers it.';

export function gapsInAnswer(reading: CheckReading, answer: unknown): Gap[] {
  const { input, echoes, grounding, problems } = reading;
  return optionalItems(answer, 'gaps', GapItem, problems).flatMap(({ item, path }): Gap[] => {
    if ([item.question, item.reason].some((text) => echoes.isEcho(shortLine(text, MAX_LINE_CHARS)))) {
      problems.push(echoProblem(path, 'it'));
      return [];
    }
    const question = shortLine(item.question, MAX_LINE_CHARS);
    const reason = shortLine(item.reason, MAX_LINE_CHARS) || NOT_ANSWERED;
    if (question === '' || !isAskable(question, grounding)) return [];
    return [
      { question, reason: isAskable(reason, grounding) ? reason : NOT_ANSWERED, sectionId: input.section.id },
    ];
  });
}
