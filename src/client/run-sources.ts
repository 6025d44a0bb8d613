import type { Client } from '@temporalio/client';
import { decodeArrayFromPayloads } from '@temporalio/common/lib/internal-non-workflow';
import type { z } from 'zod';
import { BriefMaterial } from '../contracts/brief';
import type { ArtifactRef, SourceQuality, Work } from '../contracts/source';
import { AnswerStart } from '../contracts/start';
import { readArtifact, readPassResult } from './pass-results';
import type { DescribedRun, StartRecords } from './run-records';
import { readStoredSources } from './source-input';

/** Fields that sources have in runs of all kinds. */
interface RunSource {
  id: string;
  url: string | null;
  title: string;
  author?: string | undefined;
  site?: string | undefined;
  publishedAt?: string | undefined;
  accessedAt?: string | undefined;
  /** Absent for an answer. */
  quality?: SourceQuality | undefined;
  work?: Work | undefined;
  license?: string | undefined;
  /** Null if the source has no text. */
  contentRef: ArtifactRef | null;
}

/** Sources that the run has read so far; empty before that, or if they are no longer stored. */
export async function listRunSources(
  { client, content }: Pick<StartRecords, 'client' | 'content'>,
  run: DescribedRun,
): Promise<readonly RunSource[]> {
  const { passRefs } = run.memo;
  switch (run.kind) {
    case 'report':
      return (await readPassResult(content, passRefs, 'gather'))?.sources ?? [];
    case 'brief':
      return (await readArtifact(content, passRefs.material, BriefMaterial))?.sources ?? [];
    case 'answer': {
      const input = await readRunInput(client, run, AnswerStart);
      return input?.manifestRef === undefined
        ? []
        : ((await readStoredSources(content, input.manifestRef)) ?? []);
    }
  }
}

/** The input of the run's workflow; null if it does not match the schema. */
export async function readRunInput<Input>(
  client: Client,
  { runId, historyId }: { runId: string; historyId: string },
  schema: z.ZodType<Input>,
): Promise<Input | null> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId: runId, runId: historyId },
    maximumPageSize: 1,
  });
  const started = history?.events?.[0]?.workflowExecutionStartedEventAttributes;
  const [input] = await decodeArrayFromPayloads(
    client.options.loadedDataConverter,
    started?.input?.payloads ?? null,
  );
  return schema.safeParse(input).data ?? null;
}
