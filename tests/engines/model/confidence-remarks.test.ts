import { writeSection } from '../../../src/steps/write-section/write-section';
import { writeSummary } from '../../../src/steps/write-summary/write-summary';
import { sentenceWording } from '../../../src/core/settled-text/sentence-wording';
import { draftOf, settleText } from '../../../src/core/settled-text/settle-text';
import { citedIds } from '../../../src/core/text/citation-marks';
import { verifyClaim } from '../../../src/verification/verify-claim';
import { answers } from '../../model-server/behaviours';
import { closeEngines, context, engineAgainst, promptText } from './engine-under-test';
import { finding, findings, QUESTION, QUOTES, SECTION, sectionInput } from './material';

afterEach(closeEngines);

const A = 'After 12 months, bone mineral density rose by 2.1% in women who took vitamin D [S1].';
const B = 'Among 310 adults aged over 70, bone mineral density increased by 1.9 % with daily vitamin D [S2].';
const C = 'Yearly high-dose vitamin D led to 15% more falls than placebo [S3].';

test('a model’s sentence on what pass 3 could not check says so', async () => {
  const { engine } = await engineAgainst([answers(`${A} ${B} ${C}`)]);
  const open = { unvalidated: true } as const;
  const given = [
    finding(1, 'study-a', QUOTES.a, open),
    finding(2, 'study-b', QUOTES.b),
    finding(3, 'study-c', QUOTES.c, open),
  ];
  const input = sectionInput({ findings: given });
  const { output } = await engine.run(writeSection, input, context());
  const { markdown, checked = { sentences: [] } } = output;
  const audited = new Map(
    checked.sentences.map(({ plain, text, findingIds }, at) => [
      at,
      {
        verdict: verifyClaim(plain, { cited: [{ sourceId: 's', text: plain, start: 0 }], attribution: [] }),
        findingIds,
        sourceIds: citedIds(text),
      },
    ]),
  );
  const wording = sentenceWording(given, new Map(input.sources.map((source) => [source.sourceId, source])));
  const settled = draftOf(settleText({ markdown, checked }, audited, wording));
  expect(settled.claims.map(({ text }) => /\(([^()]*confidence[^()]*)\)\.$/.exec(text)?.[1])).toEqual([
    'Medium confidence, not cross-checked',
    'Medium confidence',
    'Medium confidence, not cross-checked',
  ]);
});

test('a model is told of the major findings where there are enough of them for a summary', async () => {
  const input = (confidenceThreshold: number): Parameters<typeof writeSummary.check>[0] => ({
    question: QUESTION,
    overallTheme: 'Vitamin D and bones.',
    sections: [{ section: SECTION, findings: findings() }],
    conflicts: [],
    gaps: [],
    sources: sectionInput().sources,
    confidenceThreshold,
  });
  const { engine, server } = await engineAgainst(() => answers(`# T\n\n- ${A}\n- ${B}\n- ${A}`));
  await engine.run(writeSummary, input(0.7), context());
  expect(promptText(server.asked[0])).not.toContain(QUOTES.c);
  expect(promptText(server.asked[0])).toContain(QUOTES.d);
  const before = server.asked.length;
  await engine.run(writeSummary, input(0.9), context());
  expect(promptText(server.asked[before])).toContain(QUOTES.c);
});
