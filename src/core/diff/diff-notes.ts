import type { Report } from '../contracts/report';
import { sentenceKey } from '../near-duplicate-sentences';

/** What a reader has to know of two reports before their comparison is read. */
export function diffNotes(before: Report, after: Report): string[] {
  const notes: string[] = [];
  if (sentenceKey(before.question) !== sentenceKey(after.question))
    notes.push(`The two reports answer different questions: “${before.question}” and “${after.question}”.`);
  if (before.provenance.engine !== after.provenance.engine)
    notes.push(
      `The ${before.provenance.engine} engine wrote the first and the ${after.provenance.engine} engine the second, so the same finding may be worded otherwise.`,
    );
  for (const { id, status } of [before, after]) {
    if (status !== 'completed')
      notes.push(`Run ${id} ended as ${status}: what its report lacks stands here as a difference.`);
  }
  return notes;
}
