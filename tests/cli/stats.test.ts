import { Answer } from '../../src/contracts/answer/answer';
import { AnswerStatistics } from '../../src/contracts/answer/answer-statistics';
import { useDevProject } from './project-under-test';

const { colligate, json } = useDevProject();
const statistics = async (): Promise<AnswerStatistics> => AnswerStatistics.parse(await json('stats --json'));

test('stats counts the answers that are kept, and no reports', async () => {
  expect((await colligate('stats')).stderr).toMatch(/There are no answers yet\. Ask with: /);
  expect(await statistics()).toMatchObject({ answers: 0, meanConfidence: null, medianLatencyMs: null });

  await colligate('report "Does exercise improve sleep?" --sources notes');
  const ask = async (question: string, id: string): Promise<Answer> =>
    Answer.parse(
      JSON.parse((await colligate(`answer "${question}" --sources notes --id ${id} --json`)).stdout),
    );
  const answers = [
    await ask('Does yoga improve sleep quality?', 'yoga'),
    await ask('Does exercise change total sleep time?', 'time'),
    await ask('Which tyre pressure saves most fuel in heavy lorries?', 'tyres'),
  ];
  const synthesised = answers.filter(({ synthesisMode }) => synthesisMode);
  const counted = await statistics();
  expect(counted).toMatchObject({
    answers: 3,
    synthesis: { answers: synthesised.length, activationRate: synthesised.length / 3 },
  });
  expect(counted.byOutcome['insufficient']).toBe(1);
  expect(counted.medianLatencyMs).toBe(answers.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b)[1]);
  expect((await colligate('stats')).stdout).toMatch(/^Answers +3$[\s\S]*^Synthesis mode +\d \(\d+ % of all/m);

  await colligate('delete tyres');
  expect((await statistics()).byOutcome).toEqual({ answered: 2 });
});
