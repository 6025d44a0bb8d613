import type { AnswerMessage } from '../../contracts/answer/message';
import { MAX_HISTORY_CHARS } from '../../core/budget/call-estimates';
import { materialBlock, promptLine } from './material-block';

/** More of a turn says nothing more of what the next question means. */
const MOST_OF_A_TURN = 1_500;

/**
 * The turns before a question, oldest first, as material that only tells what the question means; nothing where there are
 * none. The latest are kept where there is not room for all.
 */
export function conversationText(history: readonly AnswerMessage[], mark: string): string {
  const lines: string[] = [];
  let room = MAX_HISTORY_CHARS;
  for (const { role, content } of [...history].reverse()) {
    const line = `${SPEAKERS[role]}: ${shortened(promptLine(content))}`;
    room -= line.length;
    if (room < 0) break;
    lines.unshift(line);
  }
  if (lines.length === 0) return '';
  return `The conversation so far, which only tells what the question means and is no evidence:
${materialBlock(mark, 'conversation', lines.join('\n'))}

`;
}

const SPEAKERS: Record<AnswerMessage['role'], string> = {
  human: 'asked',
  user: 'asked',
  ai: 'answered',
  assistant: 'answered',
  system: 'noted',
  tool: 'noted',
};

function shortened(line: string): string {
  return line.length <= MOST_OF_A_TURN ? line : `${line.slice(0, MOST_OF_A_TURN)}…`;
}
