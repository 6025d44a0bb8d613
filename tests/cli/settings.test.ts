import { answers } from '../model-server/behaviours';
import { createGoodModel, messagesOf } from '../model-server/good-model';
import { startModelServer, type ModelServer, type RecordedRequest } from '../model-server/model-server';
import { stepOfPrompt } from '../model-server/prompt-material';
import { langfuseEnvironment, startOutsideReceiver } from '../support/outside-receiver';
import { openTestNamespace } from '../support/temporal-server';
import { SYNTHESIS_PROMPT } from '../support/synthesis-prompt';
import type { CommandResult } from './command-line-under-test';
import { modelsAt, useProjectForEach } from './project-under-test';

const OBSERVED = `Source: DAIL-SQL_paper.pdf (Page 3)
Content: DAIL-SQL uses example-based learning and achieves 89.2% execution accuracy on the Spider benchmark.
Similarity: 0.89
`;
const DOCUMENT_FIRST_LINE = 'You are the Synthesis agent';

const project = useProjectForEach();
let server: ModelServer;

beforeEach(async () => {
  const model = createGoodModel();
  const written = answers('DAIL-SQL achieves 89.2% execution accuracy on the Spider benchmark [1].');
  server = await startModelServer(
    (request) => (userOf(request).includes(DOCUMENT_FIRST_LINE) ? written : model.answer(request)),
    { models: ['small', 'large', 'gpt-4-turbo'] },
  );
});
afterEach(() => server.close());

const userOf = (request: RecordedRequest): string => messagesOf(request).at(-1) ?? '';

test('an answer is written with document 001’s own prompt, model, temperature and history', async () => {
  const langfuse = await startOutsideReceiver();
  langfuse.prompts = [
    { name: 'synthesis', version: 7, labels: ['production', 'latest'], prompt: SYNTHESIS_PROMPT },
  ];
  await project.write('pdf.txt', OBSERVED);
  await project.write('colligate.config.json', {
    prompts: { provider: 'langfuse' },
    answers: { model: 'gpt-4-turbo', temperature: 1 },
  });
  const { code, stdout, stderr } = await project.colligate(
    'answer "What is DAIL-SQL?" --observations pdf.txt --json --set answers.temperature=0.4',
    { env: { ...modelsAt(server.baseUrl), ...langfuseEnvironment(langfuse) } },
  );
  await langfuse.close();
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: 'answered',
    citations: [{ n: 1, document: 'DAIL-SQL_paper.pdf' }],
    provenance: { prompts: { answer: { name: 'synthesis', version: '7', from: 'langfuse' } } },
  });
  const [written] = server.asked.filter((request) => userOf(request).includes(DOCUMENT_FIRST_LINE));
  expect(written?.body).toMatchObject({ model: 'gpt-4-turbo', temperature: 0.4 });
  const [before = '', between = '', behind = ''] = SYNTHESIS_PROMPT.split(/\{\{\w+\}\}/);
  const told = written === undefined ? '' : userOf(written);
  expect(told.startsWith(`${before}What is DAIL-SQL?${between}`)).toBe(true);
  expect(told).toContain('achieves 89.2% execution accuracy');
  expect(told).toContain(behind);
});

test('a report is written with temperature 0, and with another where that is set; the rest is asked with 0', async () => {
  const temperatures = (): Record<string, unknown> =>
    Object.fromEntries(
      server.asked.map((request) => [stepOfPrompt(...messagesOf(request)), request.body?.['temperature']]),
    );
  const run = async (flags: string): Promise<CommandResult> => {
    const { namespace } = await openTestNamespace();
    return project.colligate(`report "Does exercise improve sleep?" --sources notes --no-judge ${flags}`, {
      env: { ...modelsAt(server.baseUrl), TEMPORAL_NAMESPACE: namespace },
    });
  };
  expect(await run('--id plain')).toMatchObject({ code: 0 });
  expect(new Set(Object.values(temperatures()))).toEqual(new Set([0]));
  expect(await run('--id warm --set synthesis.temperature=0.3')).toMatchObject({ code: 0 });
  expect(temperatures()).toMatchObject({ 'write-section': 0.3, 'write-summary': 0.3, audit: 0, outline: 0 });
});

test('a wrong --set is told with every other mistake, and doctor says what is set and where', async () => {
  const wrong = 'answer "What is it?" --citations footnotes --set answers.temprature=1';
  expect(await project.colligate(wrong)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /did you mean answers\.temperature\?[^]*--citations \(flag\) is "footnotes"/,
    ),
  });
  const { stdout } = await project.colligate('doctor --set answers.maxHistory=3', {
    env: { COLLIGATE_ANSWERS_CITATIONS: 'inline' },
  });
  expect(stdout).toContain('answers.maxHistory is 3 (flag)');
  expect(stdout).toContain('answers.citations is "inline" (COLLIGATE_ANSWERS_CITATIONS)');
});
