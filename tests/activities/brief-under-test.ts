import { readArtifact, storeArtifact } from '../../src/activities/artifacts';
import {
  checkSummaries,
  gatherBrief,
  type GatheredBrief,
  settleMaterial,
} from '../../src/activities/gather-brief';
import type { ActivityPorts, BriefContext } from '../../src/activities/ports';
import { BriefMaterial } from '../../src/contracts/brief';
import { BriefSettings, JudgeSettings } from '../../src/contracts/run-settings';
import type { GivenSubtopic } from '../../src/contracts/start';
import { signal } from './corpus-under-test';

export const AS_OF = '2026-01-31T12:00:00Z';

export const RUN: BriefContext = {
  runId: 'brief',
  question: 'What does exercise do to blood pressure?',
  engine: 'extractive',
  models: null,
  stepVersions: {},
  brief: BriefSettings.parse({}),
  judge: JudgeSettings.parse({}),
};

export async function gather(
  ports: ActivityPorts,
  given: readonly GivenSubtopic[],
  run = RUN,
): Promise<GatheredBrief> {
  const subtopicsRef = await storeArtifact(ports.content, run.runId, given);
  return gatherBrief(ports, { run, subtopicsRef, asOf: AS_OF }, signal);
}

export async function settled(
  ports: ActivityPorts,
  given: readonly GivenSubtopic[],
  run = RUN,
): Promise<BriefMaterial> {
  const { materialRef, subtopics } = await gather(ports, given, run);
  const checked = await Promise.all(
    subtopics.map(({ id }) => checkSummaries(ports, { run, materialRef, subtopicId: id }, signal)),
  );
  const checksRefs = checked.map(({ checksRef }) => checksRef);
  const { materialRef: ref } = await settleMaterial(ports, { run, materialRef, checksRefs }, signal);
  return readArtifact(ports.content, ref, BriefMaterial);
}
