import { sentenceKey } from '../../../../core/duplicates/near-duplicate-sentences';
import type { Finding } from '../../../../contracts/report/finding';

export function findingId(sectionId: string, index: number): string {
  return `${sectionId}-finding-${index + 1}`;
}

/** Findings that say the same of the same words are the same; one sentence of a source may bear several. */
export function findingKey({ claim, evidence }: Finding): string {
  const places = evidence.map(({ sourceId, start, end }) => `${sourceId}@${start}-${end}`);
  return [sentenceKey(claim), ...places].join(' ');
}
