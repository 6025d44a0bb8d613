import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { revisionOf } from '../../../../src/activities/brief/writing/revision-of';
import { storeArtifact } from '../../../../src/activities/shared/artifacts';
import type { JudgedClaim } from '../../../../src/contracts/judge/judged-document';
import type { SetAsideClaim } from '../../../../src/contracts/verification/critique';
import { critiqueOfClaims } from '../../../../src/core/settled-text/critique-of-claims';
import { weigh } from '../../../../src/core/judge/weigh';
import { openStores } from '../../../../src/stores/open-stores';
import type { Stores } from '../../../../src/stores/stores';
import { BONES_PART, dimension, judgedDocument, opinion, SETTINGS } from '../../../support/judged-document';

let folder: string;
let stores: Stores;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colligate-revision-of-'));
  stores = await openStores({ stores: 'lmdb', dataDir: folder });
});
afterEach(async () => {
  await stores.close();
  await rm(folder, { recursive: true });
});

const ASIDE: SetAsideClaim = {
  text: 'Vitamin D halved all fractures.',
  sourceIds: ['source-1'],
  action: 'left-out',
  verdict: 'unsupported',
  code: 'critic',
  reason: 'No summary says so.',
  evidence: null,
  probability: null,
};

/** The problems of a part of which a claim was set aside, so that the verifier's figures bound the judge. */
async function problemsWith(setAside: SetAsideClaim[], coherence = dimension(5)): Promise<(string | null)[]> {
  const { content } = stores;
  const whole = judgedDocument();
  const partId = BONES_PART.id;
  const aside: JudgedClaim = {
    partId,
    text: ASIDE.text,
    sourceIds: [],
    verdict: 'unsupported',
    stands: false,
  };
  const judgement = weigh(opinion(5, { coherence }), SETTINGS, {
    ...whole,
    claims: [...whole.claims, aside],
  });
  expect(judgement.scores.factualAccuracy.places).toEqual([{ partId, quote: null }]);
  const { problems } = await revisionOf({ content }, partId, {
    draftRef: await storeArtifact(content, 'run', { markdown: BONES_PART.markdown, claims: [] }),
    critiqueRef: await storeArtifact(
      content,
      'run',
      critiqueOfClaims(setAside, { logicalGaps: [], uncited: [] }),
    ),
    judgementRef: await storeArtifact(content, 'run', judgement),
    version: 2,
  });
  return problems.map(({ quote }) => quote);
}

test('a claim that the audit names and set aside does not name the whole part', async () => {
  expect(await problemsWith([ASIDE])).toEqual([]);
});

test('what the judge says of the whole part besides, or where the audit names nothing, does', async () => {
  const wholePart = { ...dimension(2), places: [{ partId: BONES_PART.id, quote: null }] };
  expect(await problemsWith([ASIDE], wholePart)).toEqual([null]);
  expect(await problemsWith([])).toEqual([null]);
});
