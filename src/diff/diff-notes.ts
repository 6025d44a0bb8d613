import type { Report } from '../contracts/report/report';
import { sentenceKey } from '../core/duplicates/near-duplicate-sentences';

/** What a reader has to know of two reports before their comparison is read. */
export function diffNotes(before: Report, after: Report, areSourcesKnown: boolean): string[] {
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
  if (!areSourcesKnown)
    notes.push(
      'What the two runs have read is not known, so a finding that only one report has may be new or withdrawn, or only quoted in one.',
    );
  return notes;
}
