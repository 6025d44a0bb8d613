import { reportTexts } from '../../texts/report';
import type { SectionDraft } from '../../contracts/report/draft';
import type { Gap, Finding } from '../../contracts/report/finding';
import type { SetAsideClaim } from '../../contracts/verification/critique';
import type { CataloguedSource } from '../../contracts/source/source';
import { withinSentence } from '../writing/within-sentence';
import type { ReportParts } from './report-parts';
import type { Attributable } from '../writing/attribution';
import { claimSentence } from '../writing/claim-sentence';

export interface OutlinedSection {
  id: string;
  title: string;
  /** Null for a section that was written from nothing: it is no chapter, and stands among the gaps instead. */
  draft: SectionDraft | null;
  /** What was written of it and does not stand, be it a chapter or not. */
  setAside: readonly SetAsideClaim[];
  sourceIds: string[];
}

/** The outline's sections with their text. A section that was not written, or of which nothing stands, becomes the list of its findings. */
export function outlinedSections(
  parts: ReportParts,
  sources: ReadonlyMap<string, CataloguedSource>,
): OutlinedSection[] {
  return (parts.outline?.sections ?? []).map(({ id, title, relevantSources }) => {
    const written = parts.drafts.find((draft) => draft.sectionId === id)?.draft;
    const found = parts.findings.find((entry) => entry.sectionId === id)?.findings ?? [];
    const setAside = written?.checked?.setAside ?? [];
    const isEmpty = written?.claims.length === 0;
    const isListed = written === undefined || (isEmpty && setAside.length > 0 && found.length > 0);
    const list = findingsAsList(found, sources, { endedEarly: parts.endedEarly !== null });
    return {
      id,
      title: title,
      draft: isListed ? list : isEmpty ? null : written,
      setAside,
      sourceIds: relevantSources.map(({ sourceId }) => sourceId),
    };
  });
}

/** The gaps with those sections that are no chapter, and that no gap tells of: a reader is not to miss them. */
export function gapsWithUnwritten(gaps: readonly Gap[], planned: readonly OutlinedSection[]): Gap[] {
  const told = new Set(gaps.map(({ sectionId }) => sectionId));
  const untold = planned.filter(({ id, draft }) => draft === null && !told.has(id));
  return [
    ...gaps,
    ...untold.map(({ id, title }) => ({
      question: `What do sources say on ${withinSentence(title)}?`,
      reason: 'The report was to have a section on this; nothing was found for it that could be quoted.',
      sectionId: id,
    })),
  ];
}

function findingsAsList(
  findings: readonly Finding[],
  sources: ReadonlyMap<string, Attributable>,
  { endedEarly }: { endedEarly: boolean },
): SectionDraft {
  if (findings.length === 0) {
    return { markdown: reportTexts.nothingFound(endedEarly), claims: [] };
  }
  const claims = findings.map((finding) => ({
    text: claimSentence(finding, sources),
    findingIds: [finding.id],
  }));
  return { markdown: claims.map((claim) => `- ${claim.text}`).join('\n'), claims };
}
