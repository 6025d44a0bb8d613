import type { SourceWindow } from '../core/contracts/passage';
import type { SynthesisSettings } from '../core/contracts/run';
import type { CataloguedSource } from '../core/contracts/source';
import type { SectionBrief } from '../steps/extract-findings';
import type { ActivityPorts, RunBrief } from './ports';

/** The passages of the sources, most relevant first, that say most about a section, within the run's limits. */
export async function readWindows(
  ports: ActivityPorts,
  run: RunBrief,
  section: SectionBrief,
  sources: readonly CataloguedSource[],
  signal: AbortSignal,
): Promise<SourceWindow[]> {
  return ports.threads.takeTurn(async () => {
    const texts = await ports.content.retrieveBatch(
      sources.flatMap((source) => [source.contentRef, source.summaryRef]),
    );
    return ports.threads.run(
      'passage-windows',
      {
        wanted: [run.question, section.title, section.description, ...section.subsections].join('\n'),
        sources: sources.map((source) => ({
          sourceId: source.id,
          title: source.title,
          author: source.author,
          site: source.site,
          publishedAt: source.publishedAt,
          quality: source.quality,
          nearDuplicateOf: source.nearDuplicateOf,
          content: texts.get(source.contentRef) ?? null,
          summary: texts.get(source.summaryRef) ?? source.title,
        })),
        limits: limitsOf(run.synthesis),
      },
      signal,
    );
  }, signal);
}

function limitsOf({ maxTotalChars, maxCharsPerSource, minCharsPerSource }: SynthesisSettings): {
  maxTotalChars: number;
  maxCharsPerSource: number;
  minCharsPerSource: number;
} {
  return {
    maxTotalChars,
    maxCharsPerSource,
    minCharsPerSource: Math.min(minCharsPerSource, maxCharsPerSource),
  };
}
