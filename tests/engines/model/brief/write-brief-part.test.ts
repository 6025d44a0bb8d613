import { StepFailedError } from '../../../../src/engines/step-failed-error';
import { writeBriefPart } from '../../../../src/steps/write-brief-part/write-brief-part';
import { answers } from '../../../model-server/behaviours';
import type { Script } from '../../../model-server/model-server';
import { describeWithInstructions } from '../../../support/hidden-instructions';
import { closeEngines, codesOf, streamAgainst } from '../engine-under-test';
import { BONE, partInput, SAID, WRITTEN } from './brief-material';

afterEach(closeEngines);

const { women: WOMEN, older: OLDER, men: MEN } = WRITTEN;

const written = (script: Script, input = partInput()) => streamAgainst(writeBriefPart, input, script);

test('a good text stands as it is: marks for short ids, claims with their statements, and no remark on confidence', async () => {
  const { output, warnings, server } = await written([answers(`${WOMEN} ${OLDER}\n\n${MEN}`)]);
  const marked = (text: string, mark: string): string => text.replace(/\[S\d\]/, mark);
  expect(output.markdown).toBe(
    `${marked(WOMEN, '[@study-a]')} ${marked(OLDER, '[@study-b]')}\n\n${marked(MEN, '[@study-d]')}`,
  );
  expect(output.claims.map(({ findingIds }) => findingIds)).toEqual([['b1'], ['b2'], ['b3']]);
  expect(output.claims.map(({ standing }) => standing)).toEqual(['close', 'close', 'close']);
  expect(warnings).toEqual([]);
  expect(server.asked).toHaveLength(1);
});

test('a citation that does not exist never stands, and is told', async () => {
  const result = await written(() => answers(`${WOMEN} ${OLDER.replace('[S2]', '[S2][S99]')} ${MEN}`));
  expect(result.output.markdown).toContain('with daily vitamin D [@study-b].');
  expect(result.output.markdown).not.toMatch(/S99|\[\]/);
  expect(codesOf(result.warnings)).toEqual(['unknown-source']);
  expect(result.warnings[0]?.message).toContain('S99');
});

test('what states something and cites nothing is in no text, and held as uncited', async () => {
  const bare = MEN.replace(' [S4]', '');
  const result = await written(() => answers(`${WOMEN} ${OLDER} ${bare}`));
  expect(result.output.markdown).not.toContain('410 men');
  expect(result.output.checked?.uncited).toEqual([SAID.men]);
  expect(codesOf(result.warnings)).toEqual(['sentence-uncited']);
});

test('a number that was changed is left for the audit to find, and is not taken for close', async () => {
  const { output } = await written(() => answers(`${WOMEN.replace('2.1%', '1.9%')} ${OLDER} ${MEN}`));
  expect(output.claims.map(({ standing }) => standing)).toEqual(['undecided', 'close', 'close']);
});

test('a number from nowhere stands only until the audit, and never as a number of the summaries', async () => {
  const { output } = await written(() => answers(`${WOMEN.replace('2.1%', '77%')} ${OLDER} ${MEN}`));
  const [first] = output.claims.filter(({ text }) => text.includes('77'));
  expect(first?.standing).toBe('undecided');
});

test('what another subtopic says in the same words is not said again, but the summary may point at it', async () => {
  const told = [{ partId: 'subtopic-2', text: SAID.older, findingIds: ['b2'] }];
  const text = `${WOMEN} ${OLDER} ${MEN}`;
  const part = await written(() => answers(text), partInput({ told }));
  expect(part.output.markdown).not.toContain('310 adults');
  const summary = await written([answers(text)], partInput({ told }, 'summary'));
  expect(summary.output.markdown).toContain('310 adults');
});

test('headings, a title and a list of sources of the model’s own are dropped', async () => {
  const list = '## Quellen\n\n1. [S1] Adler, R. "Vitamin D and bone density in women." 2012.\n2. Berg 2015';
  const text = `# Vitamin D\n\n### Knochen\n\n${WOMEN} ${OLDER}\n\n${MEN}\n\n${list}`;
  const { output, warnings } = await written([answers(text)]);
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
    answers(MEN),
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
      const findings = BONE.map((one, at) => (at === 0 ? { ...one, claim: `${one.claim} ${order}` } : one));
      const text = `${WOMEN} ${order.replace(/[.!?]*$/, '')} [S1]. ${OLDER} ${MEN}`;
      const { output } = await written(() => answers(text), partInput({ findings }));
      if (output.markdown.includes(order)) shown += 1;
      expect(output.markdown).toContain('[@study-b]');
      await closeEngines();
    }
    expect(shown).toBeLessThanOrEqual(mayShow);
  });
});
