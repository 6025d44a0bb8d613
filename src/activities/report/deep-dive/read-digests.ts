import type { SourceWindow } from '../../../contracts/source/passage';
import type { SourceEntry, SourceQuality } from '../../../contracts/source/source';
import { readTexts } from '../../shared/read-texts';
import { describedSource } from '../../shared/texts/described-source';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';

/** What is known of a source before it is rated, and what is known after that. */
type Digestible = Omit<SourceEntry, 'summaryRef'> & {
  summaryRef: string | null;
  quality?: SourceQuality;
  nearDuplicateOf?: string | undefined;
};

const NOT_RATED: SourceQuality = { level: 'general', reason: '' };

/**
 * The passages of each source that say most about the question: the same in every step that reads the source, so that
 * prompts over the same sources begin alike.
 */
export function readDigests(
  { content, threads }: Pick<ActivityPorts, 'content' | 'threads'>,
  run: Pick<ReportFacts, 'question' | 'synthesis'>,
  sources: readonly Digestible[],
  signal: AbortSignal,
): Promise<SourceWindow[]> {
  return threads.takeTurn(async () => {
    const refs = sources.flatMap(({ contentRef, summaryRef }) =>
      summaryRef === null ? [contentRef] : [contentRef, summaryRef],
    );
    const texts = await readTexts(content, refs);
    return threads.run(
      'source-digests',
      {
        wanted: run.question,
        sources: sources.map((source) => ({
          ...describedSource({ ...source, quality: source.quality ?? NOT_RATED }),
          nearDuplicateOf: source.nearDuplicateOf,
          content: texts.get(source.contentRef) ?? null,
          summary: (source.summaryRef === null ? undefined : texts.get(source.summaryRef)) ?? source.title,
        })),
        limits: run.synthesis,
      },
      signal,
    );
  }, signal);
}
