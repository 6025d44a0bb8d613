import { judgeVersion } from '../../../../src/activities/shared/judge/judge-version';
import { readArtifact, storeArtifact } from '../../../../src/activities/shared/artifacts';
import type { ActivityPorts } from '../../../../src/activities/shared/ports';
import { Judgement } from '../../../../src/contracts/judge/judgement';
import type { JudgedDocument } from '../../../../src/contracts/judge/judged-document';
import { createExtractiveEngine } from '../../../../src/engines/extractive/engine';
import { createScriptedEngine } from '../../../support/scripted-engine';
import { BONES_PART, dimension, judgedDocument, opinion, SETTINGS } from '../../../support/judged-document';
import { portsOver, signal } from '../../answer/corpus-under-test';
import { storesUnderTest } from '../../stores-under-test';

const under = storesUnderTest();

const RUN = {
  runId: 'run-1',
  question: 'What do supplements do?',
  engine: 'extractive' as const,
  models: null,
  stepVersions: {},
  judge: SETTINGS,
};

async function ported(engine?: ActivityPorts['engines']['extractive']): Promise<{
  ports: ActivityPorts;
  stored: (document: JudgedDocument) => Promise<string>;
}> {
  const ports = portsOver(await under.connect(), under.threads);
  const extractive = engine ?? createExtractiveEngine({ threads: under.threads });
  return {
    ports: { ...ports, engines: { extractive } },
    stored: (document) => storeArtifact(ports.content, RUN.runId, document),
  };
}

test('a version is judged by measures where there is no model; figures and ids come back, and the words are stored', async () => {
  const { ports, stored } = await ported();
  const judgedRef = await stored(judgedDocument({ parts: [BONES_PART] }));
  const result = await judgeVersion(ports, { run: RUN, version: 1, judgedRef, revised: [] }, signal);
  expect(result).toMatchObject({ by: 'measures', named: ['subtopic-2'], warnings: [] });
  expect(JSON.stringify(result)).not.toContain('Magnesium');
  const judgement = await readArtifact(ports.content, result.judgementRef, Judgement);
  expect(judgement.overall).toBe(result.overall);
  expect(judgement.scores.completeness.reason).toContain('Magnesium and sleep');
});

test('the event is told once for a version, however often it is tried, and once for each', async () => {
  const engine = createScriptedEngine({
    judge: () => opinion(3, { bias: dimension(2, { places: [{ partId: 'subtopic-1', quote: null }] }) }),
  });
  const { ports, stored } = await ported(engine);
  const judgedRef = await stored(judgedDocument());
  const versions = [
    { version: 1, revised: [] },
    { version: 1, revised: [] },
    { version: 2, revised: ['subtopic-1'] },
  ];
  for (const of of versions) {
    const result = await judgeVersion(ports, { run: RUN, judgedRef, ...of }, signal);
    expect(result).toMatchObject({ overall: 2.9, passed: false, named: ['subtopic-1'] });
  }
  const told = await ports.events.read(RUN.runId);
  expect(told.map(({ type, payload }) => ({ type, payload }))).toEqual([
    { type: 'judge', payload: expect.objectContaining({ version: 1, overall: 2.9, revised: [] }) as unknown },
    { type: 'judge', payload: expect.objectContaining({ version: 2, revised: ['subtopic-1'] }) as unknown },
  ]);
});
