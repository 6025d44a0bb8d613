import type { BriefMaterial } from '../contracts/brief/brief-material';
import type { SectionDraft } from '../contracts/report/draft';
import { inSeries } from '../core/writing/in-series';
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
}: Pick<BriefParts, 'template' | 'material' | 'drafts'>): { written: WrittenPart[]; missing: string | null } {
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

const REFUTED =
  'What the summary of this subtopic says is not borne by the sources that it cites; it is set aside.';
const TOLD_BEFORE = 'What the summary of this subtopic says is told above, with the citations of both.';
const STATES_NOTHING = 'The summary of this subtopic states nothing that could be cited.';

/** A subtopic of which nothing stands has its place all the same. */
function emptySubtopic(partId: string, material: BriefMaterial | null): SectionDraft | null {
  const subtopic = material?.subtopics.find(({ id }) => id === partId);
  if (material === null || subtopic === undefined || subtopic.findings.length > 0) return null;
  const isRefuted = material.setAside.some(({ subtopicId }) => subtopicId === partId);
  const isTold = Object.values(material.places).some((places) =>
    places.some(({ subtopicId }) => subtopicId === partId),
  );
  if (isRefuted) return { markdown: REFUTED, claims: [] };
  return { markdown: isTold ? TOLD_BEFORE : STATES_NOTHING, claims: [] };
}

/** Subtopics by their numbers: a title that stands here would count as told. */
function missingParts(wanted: readonly TemplatePart[], there: ReadonlySet<string>): string | null {
  const missing = wanted.filter(({ id }) => !there.has(id));
  if (missing.length === 0) return null;
  if (missing.length === wanted.length) return 'Nothing of the text was written.';
  const subtopics = wanted.filter(({ id }) => roleOf(id) === 'body');
  const numbers = subtopics.flatMap(({ id }, at) => (there.has(id) ? [] : [at + 1]));
  const frame = missing.filter(({ id }) => roleOf(id) !== 'body').map(({ id }) => `the ${id}`);
  const subtopic = numbers.length === 1 ? 'subtopic' : 'subtopics';
  const body = numbers.length === 0 ? [] : [`${subtopic} ${inSeries(numbers)} of ${subtopics.length}`];
  return `The run could not write ${inSeries([...frame, ...body])}.`;
}

function roleOf(partId: string): WrittenPart['role'] {
  return partId === 'summary' || partId === 'conclusions' ? partId : 'body';
}
