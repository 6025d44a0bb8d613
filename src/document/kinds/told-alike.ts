import { writingTexts } from '../../texts/writing';
import type { ReportConflict } from '../../contracts/report/report';
import type { SinceLast } from '../../contracts/run/since';
import { sinceMarkdown } from '../../core/writing/since-text';
import type { DocumentPart, DocumentTree } from '../document';

export function toldConflicts(conflicts: readonly ReportConflict[]): DocumentTree['conflicts'] {
  return conflicts.map(({ topic, viewpoints, resolution, reason }) => ({
    topic,
    viewpoints: viewpoints.map(({ statement, citations, places = [] }) => ({
      statement,
      sources: citations,
      places: places.map(({ n, start, end }) => ({ source: n, start, end })),
    })),
    resolution,
    reason,
  }));
}

export function sincePart(since: SinceLast | undefined): DocumentPart[] {
  if (since === undefined) return [];
  return [{ id: 'since', title: writingTexts.sinceHeading, markdown: sinceMarkdown(since) }];
}
