import { revisionOf } from '../../../../src/activities/brief/writing/revision-of';
import { storeArtifact } from '../../../../src/activities/shared/artifacts';
import type { SetAsideClaim } from '../../../../src/contracts/verification/critique';
import { critiqueOfClaims } from '../../../../src/core/settled-text/critique-of-claims';
import { weigh } from '../../../../src/core/judge/weigh';
import { BONES_PART, dimension, judgedDocument, opinion, SETTINGS } from '../../../support/judged-document';
import { storesUnderTest } from '../../stores-under-test';

const under = storesUnderTest();

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
  const { content } = under.stores;
  const whole = judgedDocument();
  const partId = BONES_PART.id;
  const { text, verdict } = ASIDE;
  const claims = [...whole.claims, { partId, text, sourceIds: [], verdict, stands: false }];
  const judgement = weigh(opinion(5, { coherence }), SETTINGS, { ...whole, claims });
  expect(judgement.scores.factualAccuracy.places).toEqual([{ partId, quote: null }]);
  const critique = critiqueOfClaims(setAside, { logicalGaps: [], uncited: [] });
  const { problems } = await revisionOf({ content }, partId, {
    draftRef: await storeArtifact(content, 'run', { markdown: BONES_PART.markdown, claims: [] }),
    critiqueRef: await storeArtifact(content, 'run', critique),
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
