import type { Evidence, ValidatedFindings } from '../../../contracts/report/finding';
import type { SourceWindow } from '../../../contracts/source/passage';
import type { CataloguedSource } from '../../../contracts/source/source';
import { groupedBy } from '../../../core/values/grouped-by';
import { splitPassages } from '../../../language/passages';
import { readTexts } from '../../shared/read-texts';
import type { ActivityPorts } from '../../shared/ports';
import { describedSource } from '../../shared/described-source';
import type { Catalogue } from '../gather/catalogue';

/** Sources with all of their paragraphs; one without text has its summary. */
export async function citedSources(
  { content }: Pick<ActivityPorts, 'content'>,
  catalogue: Catalogue,
  ids: Iterable<string>,
): Promise<SourceWindow[]> {
  const sources = [...(await catalogue.named(ids)).values()];
  const texts = await readTexts(
    content,
    sources.flatMap(({ contentRef, summaryRef }) => [contentRef, summaryRef]),
  );
  return sources.map((source) => windowOf(source, texts));
}

function windowOf(source: CataloguedSource, texts: ReadonlyMap<string, string>): SourceWindow {
  const content = texts.get(source.contentRef) ?? '';
  const summaryOnly = content.trim() === '';
  const { nearDuplicateOf } = source;
  return {
    ...describedSource(source),
    summaryOnly,
    ...(nearDuplicateOf === undefined ? {} : { nearDuplicateOf }),
    passages: splitPassages(summaryOnly ? (texts.get(source.summaryRef) ?? source.title) : content),
  };
}

export function quotesOf({
  sections,
  conflicts,
}: Pick<ValidatedFindings, 'sections' | 'conflicts'>): Evidence[] {
  return [
    ...sections.flatMap(({ findings }) => findings.flatMap(({ evidence }) => evidence)),
    ...conflicts.flatMap(({ viewpoints }) => viewpoints.flatMap(({ evidence }) => evidence)),
  ];
}

/** The works of which several of these sources are parts. */
export async function worksOf(catalogue: Catalogue, sources: readonly SourceWindow[]): Promise<string[][]> {
  const known = await catalogue.named(sources.map(({ sourceId }) => sourceId));
  const parts = groupedBy(
    [...known.values()].flatMap(({ id, work }) => (work === undefined ? [] : [{ id, work: work.id }])),
    ({ work }) => work,
  );
  return [...parts.values()].map((ids) => ids.map(({ id }) => id)).filter((ids) => ids.length > 1);
}
