import type { AnswerTraceEntry } from '../../contracts/answer/answer-telemetry';
import { counted } from '../run/publishing/run-mirror';

/** What was done, in short, as an item of a Markdown list for the Web UI. */
export function traceLine(entry: AnswerTraceEntry): string {
  switch (entry.node) {
    case 'retriever':
      return `  - ${entry.attempt}: ${counted(entry.passages, 'passage')} of ${counted(entry.documents, 'document')}${entry.broader ? ', more broadly' : ''}`;
    case 'synthesizer':
      return `  - ${entry.retry_count + 1}: ${counted(entry.answer_length, 'character')} with ${counted(entry.citations, 'citation')} from ${counted(entry.context_chars, 'character')}${entry.over_compression_flag ? ', over-compressed' : ''}`;
    case 'critic':
      return `  - ${entry.attempt}: ${entry.supported} of ${counted(entry.claims, 'claim')} supported`;
    case 'supervisor':
      return `  - ${entry.attempt}: ${entry.decision} (${entry.reason})`;
  }
}
