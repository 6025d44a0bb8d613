import { briefTexts } from '../texts/brief';
import type { BriefMaterial } from '../contracts/brief/brief-material';
import type { SectionDraft } from '../contracts/report/draft';
import type { BriefParts } from './brief-parts';
import { type TemplatePart, wantedParts } from './template';

/** A part of the text, in the order in which it is read. */
export interface WrittenPart extends TemplatePart {
  role: 'summary' | 'body' | 'conclusions';
  draft: SectionDraft;
}

/** The parts that there are, in the template's order, and a sentence on those that are missing; null where none is. */
export function writtenParts({
  template,
  material,
  drafts,
}: Pick<BriefParts, 'template' | 'material' | 'drafts'>): {
  written: WrittenPart[];
  missing: string | null;
} {
  const subtopics = material?.subtopics ?? [];
  const draftOf = new Map(drafts.map(({ partId, draft }) => [partId, draft]));
  const wanted = wantedParts(template, subtopics);
  const written = wanted.flatMap((part): WrittenPart[] => {
    const draft = draftOf.get(part.id);
    const text = draft === undefined || draft.markdown === '' ? emptySubtopic(part.id, material) : draft;
    return text === null ? [] : [{ ...part, role: roleOf(part.id), draft: text }];
  });
  const there = new Set(written.map(({ id }) => id));
  return { written, missing: missingParts(wanted, there) };
}

/** A subtopic of which nothing stands has its place all the same. */
function emptySubtopic(partId: string, material: BriefMaterial | null): SectionDraft | null {
  const subtopic = material?.subtopics.find(({ id }) => id === partId);
  if (material === null || subtopic === undefined || subtopic.findings.length > 0) return null;
  const isRefuted = material.setAside.some(({ subtopicId }) => subtopicId === partId);
  const isTold = Object.values(material.places).some((places) =>
    places.some(({ subtopicId }) => subtopicId === partId),
  );
  if (isRefuted) return { markdown: briefTexts.refuted, claims: [] };
  return { markdown: isTold ? briefTexts.toldBefore : briefTexts.statesNothing, claims: [] };
}

/** Subtopics by their numbers: a title that stands here would count as told. */
function missingParts(wanted: readonly TemplatePart[], there: ReadonlySet<string>): string | null {
  const missing = wanted.filter(({ id }) => !there.has(id));
  if (missing.length === 0) return null;
  if (missing.length === wanted.length) return briefTexts.nothingWritten;
  const subtopics = wanted.filter(({ id }) => roleOf(id) === 'body');
  const numbers = subtopics.flatMap(({ id }, at) => (there.has(id) ? [] : [at + 1]));
  const frame = missing.flatMap(({ id }) => {
    const role = roleOf(id);
    return role === 'body' ? [] : [role];
  });
  return briefTexts.missing(frame, numbers, subtopics.length);
}

function roleOf(partId: string): WrittenPart['role'] {
  return partId === 'summary' || partId === 'conclusions' ? partId : 'body';
}
