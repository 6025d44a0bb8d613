import type { SourceWindow } from '../../../contracts/source/passage';
import type { SectionFindings } from '../../../contracts/report/finding';
import type { CataloguedSource } from '../../../contracts/source/source';
import { modelOfPass } from '../../../core/budget/model-of-pass';
import { readingLimits } from '../../../core/passages/reading-limits';
import type { SectionScope } from '../../../steps/material/section-scope';
import { readTexts } from '../../shared/read-texts';
import { describedSource } from '../../shared/texts/described-source';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';

/** What a step gets to read, and what was asked of the content store for it. */
export interface ReadMaterial {
  sources: SourceWindow[];
  retrievals: SectionFindings['retrievals'];
}

/** The passages of the sources, most relevant first, that say most about a section, within the run's limits. */
export async function readWindows(
  ports: ActivityPorts,
  run: ReportFacts,
  section: SectionScope,
  sources: readonly CataloguedSource[],
  at: { pass: number; besides: number; signal: AbortSignal },
): Promise<ReadMaterial> {
  const { pass, besides, signal } = at;
  const contextTokens = run.models ? modelOfPass(run.models, 'strong', pass).contextTokens : null;
  return ports.threads.takeTurn(async () => {
    const texts = await readTexts(
      ports.content,
      sources.flatMap((source) => [source.contentRef, source.summaryRef]),
    );
    const windows = await ports.threads.run(
      'passage-windows',
      {
        wanted: [run.question, section.title, section.description, ...section.subsections].join('\n'),
        sources: sources.map((source) => ({
          ...describedSource(source),
          nearDuplicateOf: source.nearDuplicateOf,
          content: texts.get(source.contentRef) ?? null,
          summary: texts.get(source.summaryRef) ?? source.title,
        })),
        limits: readingLimits(run.synthesis, sources.length, { contextTokens, besides }),
      },
      signal,
    );
    return { sources: windows, retrievals: retrievalsOf(sources, texts, windows) };
  }, signal);
}

function retrievalsOf(
  sources: readonly CataloguedSource[],
  texts: ReadonlyMap<string, string>,
  windows: readonly SourceWindow[],
): SectionFindings['retrievals'] {
  const found = sources.filter(({ contentRef }) => texts.has(contentRef)).length;
  const passages = windows.flatMap((window) => window.passages);
  return {
    requested: sources.length,
    found,
    missing: sources.length - found,
    chars: passages.reduce((sum, { text }) => sum + text.length, 0),
  };
}
