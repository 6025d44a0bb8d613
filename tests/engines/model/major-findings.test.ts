import { writeSummary } from '../../../src/steps/write-summary/write-summary';
import { answers } from '../../model-server/behaviours';
import { closeEngines, context, engineAgainst, promptText } from './engine-under-test';
import { findings, QUOTES, SECTION, sectionInput } from './material';

afterEach(closeEngines);

const A = 'After 12 months, bone mineral density rose by 2.1% in women who took vitamin D [S1].';
const B = 'Among 310 adults aged over 70, bone mineral density increased by 1.9 % with daily vitamin D [S2].';

test('a model is told of the major findings where there are enough of them for a summary', async () => {
  const sections = [{ section: SECTION, findings: findings() }];
  const { question, sources } = sectionInput();
  const material = {
    question,
    overallTheme: 'Vitamin D and bones.',
    sections,
    conflicts: [],
    gaps: [],
    sources,
  };
  const { engine, server } = await engineAgainst(() => answers(`# T\n\n- ${A}\n- ${B}\n- ${A}`));
  await engine.run(writeSummary, { ...material, confidenceThreshold: 0.7 }, context());
  expect(promptText(server.asked[0])).not.toContain(QUOTES.c);
  expect(promptText(server.asked[0])).toContain(QUOTES.d);
  const before = server.asked.length;
  await engine.run(writeSummary, { ...material, confidenceThreshold: 0.9 }, context());
  expect(promptText(server.asked[before])).toContain(QUOTES.c);
});
