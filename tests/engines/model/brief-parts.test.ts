import type { Critique } from '../../../src/contracts/verification/critique';
import { StepFailedError } from '../../../src/engines/step-failed-error';
import type { PartRevision } from '../../../src/steps/write-brief-part/contract';
import { writeBriefPart } from '../../../src/steps/write-brief-part/write-brief-part';
import { answers } from '../../model-server/behaviours';
import type { Script } from '../../model-server/model-server';
import { describeWithInstructions } from '../../support/hidden-instructions';
import { BONE, partInput, SAID, WRITTEN } from './brief-material';
import { closeEngines, codesOf, streamAgainst, promptText } from './engine-under-test';

afterEach(closeEngines);

describe('write-brief-part', () => {
  const { women: WOMEN, older: OLDER, men: MEN } = WRITTEN;

  const written = (script: Script, input = partInput()) => streamAgainst(writeBriefPart, input, script);

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

  test('an invented number is kept only until the audit, and never counts as a number of the summaries', async () => {
    const { output } = await written(() => answers(`${WOMEN.replace('2.1%', '77%')} ${OLDER} ${MEN}`));
    const [first] = output.claims.filter(({ text }) => text.includes('77'));
    expect(first?.standing).toBe('undecided');
  });

  test('a sentence of another subtopic is not repeated, except in the summary', async () => {
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
    test('an instruction in a statement has no effect on the text', async () => {
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
});

describe('revision of a part', () => {
  const cited = (sentence: string, mark: string): string => `${sentence.slice(0, -1)} ${mark}.`;

  /** What an earlier version has: the second sentence with a wrong number. */
  const WRONG = SAID.older.replace('1.9 %', '1.6 %');

  const STANDING = [
    cited(SAID.women, '[@study-a]'),
    `${cited(WRONG, '[@study-b]')}\n\n${cited(SAID.men, '[@study-d]')}`,
  ].join(' ');

  const WOMEN = cited(SAID.women, '[S1]');

  const OLDER = cited(SAID.older, '[S2]');

  const MEN = cited(SAID.men, '[S4]');

  function named(quote: string | null, reason = 'The number is not that of the summary.'): PartRevision {
    return { markdown: STANDING, critique: null, problems: [{ reason, quote }] };
  }

  const revised = (answer: string, revision = named(`${WRONG.slice(0, -1)} [2].`)) =>
    streamAgainst(writeBriefPart, partInput({ revision }), () => answers(answer));

  test('a revision replaces the whole part', async () => {
    const reworded =
      'In women, 800 IU of vitamin D daily for 12 months meant a rise of bone mineral density [S1].';
    const { output } = await revised(`${reworded} ${OLDER}\n\n${MEN}`);
    expect(output.markdown).toBe(
      `${reworded.replace('[S1]', '[@study-a]')} ${cited(SAID.older, '[@study-b]')}\n\n${cited(SAID.men, '[@study-d]')}`,
    );
  });

  test('a revision without a supported sentence fails, so that the text before it stays', async () => {
    const answer = 'I have revised the text as you wished. It is much better now.';
    await expect(revised(answer)).rejects.toBeInstanceOf(StepFailedError);
  });

  test('the prompt says why a claim was rejected, and has no marks of rejected claims', async () => {
    const replacement = `${cited(SAID.older, '[@study-b]')} [@aside 0]`;
    const markdown = STANDING.replace(/Among .*? \[@study-b\]\./, replacement);
    const critique: Critique = {
      needsRetry: true,
      hallucinationDetected: false,
      logicalGaps: [],
      conflictingEvidence: [],
      missingCitations: [],
      unsupportedClaims: [
        {
          text: WRONG,
          sourceIds: ['study-b'],
          verdict: 'unsupported',
          code: 'critic',
          reason: 'The summary has another number.',
          evidence: null,
          probability: null,
        },
      ],
    };
    const { server } = await revised(`${WOMEN} ${OLDER}\n\n${MEN}`, { markdown, critique, problems: [] });
    const prompt = promptText(server.asked[0]);
    expect(prompt).toContain('The summary has another number.');
    expect(prompt).not.toContain('@aside');
  });

  test('the model is given the text that stands, with its citations as the prompt has them, and what was named', async () => {
    const { server } = await revised(`${WOMEN} ${OLDER} ${MEN}`);
    const prompt = promptText(server.asked[0]);
    expect(prompt).toContain(cited(WRONG, '[S2]'));
    expect(prompt).toContain('The number is not that of the summary.');
  });
});
