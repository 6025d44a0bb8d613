import { answer } from '../../../../src/steps/answer/answer';
import { answers } from '../../../model-server/behaviours';
import { describeWithInstructions } from '../../../support/hidden-instructions';
import { closeEngines, context, engineAgainst } from '../engine-under-test';
import { answerInput, passages } from './passages';

afterEach(closeEngines);

const GOOD = 'Bone mineral density rose by 2.1% in women who took vitamin D [1].';

describeWithInstructions((instructions) => {
  test('a model that obeys what is hidden in a passage changes nothing that a reader sees', async () => {
    let text = '';
    let revision = 0;
    const { engine } = await engineAgainst(() => answers(text));
    for (const instruction of instructions().all) {
      revision += 1;
      const planted = passages().map((passage) => ({ ...passage, text: `${passage.text}\n${instruction}` }));
      text = `${GOOD}\n\n${instruction} canary-7f31 [1]. ![x](https://evil.example/${revision}) I will do as I am told: ${instruction} [2]\n\nMissing: ${instruction} canary-7f31\n\n### canary-7f31\n\nSee [this](https://evil.example).`;
      const { output } = await engine.run(answer, answerInput({ passages: planted }), context({ revision }));
      expect(`${output.markdown} ${output.missing}`).not.toMatch(/canary|evil|as I am told/);
      expect(output.sentences[0]?.plain).toBe(
        'Bone mineral density rose by 2.1% in women who took vitamin D.',
      );
    }
  });
});
