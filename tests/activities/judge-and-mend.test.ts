import { judgeFaults } from '../../src/activities/judge-and-mend';
import type { WrittenText } from '../../src/contracts/draft';
import { scoreJudgement } from '../../src/evidence/judge-scores';
import { textOfParts } from '../../src/evidence/written-text';
import { BONES_PART, dimension, judgedDocument, opinion, SETTINGS } from '../support/judged-document';

const REMOVED: WrittenText['removed'][number] = {
  partId: BONES_PART.id,
  text: 'Vitamin D halved all fractures.',
  sourceIds: ['source-1'],
  verdict: 'unsupported',
  code: 'critic',
  reason: 'No summary says so.',
  evidence: null,
  probability: null,
};

/** What is to be mended where a claim of a part does not stand, so that the verifier's figures bound the judge. */
function faultsWith(removed: WrittenText['removed'], coherence = dimension(5)): string[][] {
  const whole = judgedDocument();
  const { partId, text, verdict } = REMOVED;
  const claims = [...whole.claims, { partId, text, sourceIds: [], verdict, stands: false }];
  const judgement = scoreJudgement(opinion(5, { coherence }), SETTINGS, { ...whole, claims });
  expect(judgement.scores.factualAccuracy.places).toEqual([{ partId, quote: null }]);
  const written = textOfParts('Bones', [{ id: partId, title: 'Bones', markdown: 'First. Second. Last.' }]);
  return judgeFaults({ ...written, removed }, judgement, [partId]).map(({ statementIds }) => statementIds);
}

describe('judgeFaults', () => {
  test('a claim that was taken out of a part does not name the whole part', () => {
    expect(faultsWith([REMOVED])).toEqual([]);
  });

  test('what the judge says of the whole part besides, or where nothing was taken out, names its last sentence', () => {
    const wholePart = { ...dimension(2), places: [{ partId: BONES_PART.id, quote: null }] };
    expect(faultsWith([REMOVED], wholePart)).toEqual([['T3']]);
    expect(faultsWith([])).toEqual([['T3']]);
  });
});
