import type { Finding } from '../../../../contracts/report/finding';

/** Numbered within an answer, after its section. */
export function findingId(sectionId: string, index: number): string {
  return `${sectionId}-finding-${index + 1}`;
}

/** Findings that rest on the same words are the same. */
export function evidenceKey({ evidence }: Finding): string {
  return evidence.map(({ sourceId, start, end }) => `${sourceId}@${start}-${end}`).join(' ');
}
