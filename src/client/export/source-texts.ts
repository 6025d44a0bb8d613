import { AnswerStart } from '../../contracts/answer/answer-start';
import { BriefMaterial } from '../../contracts/brief/brief-material';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { DescribedRun, StartRecords } from '../described-run';
import { storedSources } from '../given-sources';
import { readArtifact, readPassResult } from '../pass-results/read-pass-result';
import { readInputOf } from '../read-run-input';

/** The text of a source, null where the store has it no more or never had it, and the licence that was given with it. */
export interface SourceText {
  text: string | null;
  licence: string | null;
}

export async function sourceTexts(
  { client, content }: Pick<StartRecords, 'client' | 'content'>,
  run: DescribedRun,
  ids: readonly string[],
): Promise<Map<string, SourceText>> {
  const wanted = new Set(ids);
  const kept = (await keptSources(client, content, run)).filter(({ id }) => wanted.has(id));
  const texts = new Map<string, SourceText>();
  for (const { id, contentRef, license } of kept) {
    const text = contentRef === null ? null : await content.retrieve(contentRef);
    texts.set(id, { text, licence: license ?? null });
  }
  return texts;
}

interface KeptSource {
  id: string;
  contentRef: ArtifactRef | null;
  license?: string | undefined;
}

async function keptSources(
  client: StartRecords['client'],
  content: StartRecords['content'],
  run: DescribedRun,
): Promise<readonly KeptSource[]> {
  const { passRefs } = run.memo;
  switch (run.kind) {
    case 'report':
      return (await readPassResult(content, passRefs, 'gather'))?.sources ?? [];
    case 'brief':
      return (await readArtifact(content, passRefs.material, BriefMaterial))?.sources ?? [];
    case 'answer': {
      const input = await readInputOf(client, run, AnswerStart);
      return input?.manifestRef === undefined
        ? []
        : ((await storedSources(content, input.manifestRef)) ?? []);
    }
  }
}
