/** A question of the studies as one plain sentence, made of its three parts in every record the same way. */
export function plainQuestion({ intervention, comparator, outcome }: StudyQuestion): string {
  return `Does ${intervention.trim()}, compared with ${comparator.trim()}, change ${outcome.trim()}?`;
}

export interface StudyQuestion {
  source_id: string;
  intervention: string;
  comparator: string;
  outcome: string;
  evidence: { start: number; end: number; text: string }[];
}
