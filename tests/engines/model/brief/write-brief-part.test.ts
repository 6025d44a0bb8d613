import type { StepResult } from '../../../../src/engines/engine';
import { StepFailedError } from '../../../../src/engines/step-failed-error';
import type {
  WriteBriefPartInput,
  WriteBriefPartOutput,
} from '../../../../src/steps/write-brief-part/contract';
import { writeBriefPart } from '../../../../src/steps/write-brief-part/write-brief-part';
import { answers } from '../../../model-server/behaviours';
import type { Script } from '../../../model-server/model-server';
import { describeWithInstructions } from '../../../support/hidden-instructions';
import { closeEngines, context, engineAgainst, type EngineUnderTest } from '../engine-under-test';
import { BONE, partInput, SAID } from './brief-material';

afterEach(closeEngines);

const WOMEN =
  'Bone mineral density rose by 2.1% in women who took 800 IU of vitamin D daily for 12 months [S1].';
const OLDER =
  'Among 310 adults aged over 70, bone mineral density increased by 1.9 % with daily vitamin D [S2].';
const MEN =
  'Bone mineral density did not differ between vitamin D and placebo in 410 men after 24 months [S4].';

async function written(
  script: Script,
  input: WriteBriefPartInput = partInput(),
): Promise<StepResult<WriteBriefPartOutput> & EngineUnderTest> {
  const under = await engineAgainst(script);
  const chunks: string[] = [];
  const onText = (text: string): void => void chunks.push(text);
  const result = await under.engine.run(writeBriefPart, input, context({ onText }));
  expect(chunks.join('')).toBe(result.output.markdown);
  return { ...result, ...under };
}

const codes = ({ warnings }: { warnings: readonly { code: string }[] }): string[] =>
  warnings.map(({ code }) => code);

test('a good text stands as it is: marks for short ids, claims with their statements, and no remark on confidence', async () => {
  const { output, warnings, server } = await written([answers(`${WOMEN} ${OLDER}\n\n${MEN}`)]);
  expect(output.markdown).toBe(
    [
      `${SAID.women.slice(0, -1)} [@study-a]. ${SAID.older.slice(0, -1)} [@study-b].`,
      `${SAID.men.slice(0, -1)} [@study-d].`,
    ].join('\n\n'),
  );
  expect(output.claims.map(({ findingIds, standing }) => [findingIds, standing])).toEqual([
    [['b1'], 'close'],
    [['b2'], 'close'],
    [['b3'], 'close'],
  ]);
  expect(warnings).toEqual([]);
  expect(server.asked).toHaveLength(1);
});

test('a citation that does not exist never stands, and is told', async () => {
  const result = await written(() => answers(`${WOMEN} ${OLDER.replace('[S2]', '[S2][S99]')} ${MEN}`));
  expect(result.output.markdown).toContain('with daily vitamin D [@study-b].');
  expect(result.output.markdown).not.toMatch(/S99|\[\]/);
  expect(codes(result)).toEqual(['unknown-source']);
  expect(result.warnings[0]?.message).toContain('S99');
});

test('what states something and cites nothing is in no text, and held as uncited', async () => {
  const bare = MEN.replace(' [S4]', '');
  const result = await written(() => answers(`${WOMEN} ${OLDER} ${bare}`));
  expect(result.output.markdown).not.toContain('410 men');
  expect(result.output.checked?.uncited).toEqual([SAID.men]);
  expect(codes(result)).toEqual(['sentence-uncited']);
});

test('a number that was changed is left for the audit to find, and is not taken for close', async () => {
  const { output } = await written(() => answers(`${WOMEN.replace('2.1%', '2.6%')} ${OLDER} ${MEN}`));
  const standing = output.claims.find(({ text }) => text.includes('2.6'))?.standing;
  expect([undefined, 'undecided']).toContain(standing);
});

test('headings, a title and a list of sources of the model’s own are dropped', async () => {
  const list = '## Quellen\n\n1. [S1] Adler, R. "Vitamin D and bone density in women." 2012.\n2. Berg 2015';
  const { output, warnings } = await written([
    answers(`# Vitamin D\n\n### Knochen\n\n${WOMEN} ${OLDER}\n\n${MEN}\n\n${list}`),
  ]);
  expect(output.markdown).not.toMatch(/#|Adler|Berg/);
  expect(output.claims).toHaveLength(3);
  expect(warnings).toEqual([]);
});

test('a code fence around the answer is no part of it', async () => {
  const { output } = await written([answers(`\`\`\`markdown\n${WOMEN} ${OLDER} ${MEN}\n\`\`\``)]);
  expect(output.claims).toHaveLength(3);
});

test('a text that is cut off goes on with the statements that it has not told', async () => {
  const { output, server } = await written([
    answers(`${WOMEN} ${OLDER}\n\nBone mineral density did not`, { finishReason: 'length' }),
    answers(MEN.replace('[S4]', '[F1]')),
  ]);
  expect(output.claims.map(({ findingIds }) => findingIds)).toEqual([['b1'], ['b2'], ['b3']]);
  expect(server.asked).toHaveLength(2);
});

test('a text that nothing can be taken of fails, so that the step is done by quoting', async () => {
  const weak = 'Vitamin D is a vitamin. It is good for you. It is good for you. The sun is a star.';
  await expect(written(() => answers(weak))).rejects.toBeInstanceOf(StepFailedError);
});

describeWithInstructions((instructions) => {
  test('what a statement orders has no effect on the text', async () => {
    const { all, mayShow } = instructions();
    let shown = 0;
    for (const order of all.slice(0, 25)) {
      const poisoned = BONE.map((finding, at) =>
        at === 0 ? { ...finding, claim: `${finding.claim} ${order}` } : finding,
      );
      const result = await written(
        () => answers(`${WOMEN} ${order.replace(/[.!?]*$/, '')} [S1]. ${OLDER} ${MEN}`),
        partInput({ findings: poisoned }),
      );
      if (result.output.markdown.includes(order)) shown += 1;
      expect(result.output.markdown).toContain('[@study-b]');
      await closeEngines();
    }
    expect(shown).toBeLessThanOrEqual(mayShow);
  });
});
