import type { AnswerRunInput } from '../../contracts/answer/answer-run';
import type { AnswerMessage } from '../../contracts/answer/message';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { Warning } from '../../contracts/run/run';
import { toArtifactText } from '../../core/run/json-artifact';
import { chainedReadings } from '../../sources/chained-readings';
import { importSources } from '../../sources/import-sources';
import { readRecords } from '../../sources/read-records';
import type { ContentStore } from '../../stores/content-store';
import { readingsOf } from '../given-sources';
import type { AnswerRequest, Corpus } from './answer-request';

/** References of what an answer may rest on. */
export interface StoredMaterial {
  input: Pick<
    AnswerRunInput,
    'observationsRef' | 'historyRef' | 'finalOutputRef' | 'manifestRef' | 'sourceCount'
  >;
  warnings: Warning[];
}

/** Stores what a request brings along, for the request to hold; its history has the references alone. */
export async function storeMaterial(
  content: ContentStore,
  request: AnswerRequest,
  { requestId, history }: { requestId: string; history: readonly AnswerMessage[] },
): Promise<StoredMaterial> {
  const { corpus, warnings } = await storedCorpus(content, request, requestId);
  const { observations = [], finalOutput } = request;
  const store = (value: unknown): Promise<ArtifactRef> => content.store(requestId, toArtifactText(value));
  return {
    input: {
      ...(observations.length === 0 ? {} : { observationsRef: await store(observations) }),
      ...(history.length === 0 ? {} : { historyRef: await store(history) }),
      ...(finalOutput === undefined ? {} : { finalOutputRef: await content.store(requestId, finalOutput) }),
      ...(corpus === null ? {} : { manifestRef: corpus.manifestRef }),
      sourceCount: corpus?.count ?? 0,
    },
    warnings,
  };
}

async function storedCorpus(
  content: ContentStore,
  { corpus, sources, documents }: AnswerRequest,
  requestId: string,
): Promise<{ corpus: Corpus | null; warnings: Warning[] }> {
  if (corpus !== undefined) return { corpus, warnings: [] };
  const readings = [
    ...(sources === undefined ? [] : [readingsOf(sources)]),
    ...(documents === undefined ? [] : [readRecords(documents)]),
  ];
  if (readings.length === 0) return { corpus: null, warnings: [] };
  const { manifestRef, count, warnings } = await importSources({
    runId: requestId,
    readings: chainedReadings(readings),
    content,
    skipInvalid: sources?.skipInvalid ?? false,
  });
  return { corpus: { manifestRef, count }, warnings };
}
