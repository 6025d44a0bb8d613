import { answers, refuses } from '../../model-server/behaviours';
import { createGoodModel, messagesOf } from '../../model-server/good-model';
import type { RecordedRequest } from '../../model-server/model-server';
import { stepOfPrompt } from '../../model-server/prompt-material';
import { forAllTests } from '../../support/for-all-tests';
import { comparable } from '../../support/kills/run-record';
import { openModelBench } from './model-bench';

const bench = forAllTests(openModelBench);
afterEach(() => bench.rest());

const good = createGoodModel();
const stepOf = (request: RecordedRequest): string => stepOfPrompt(...messagesOf(request));

test('a text whose answers are empty is quoted, and the report, its JSON and the status say why', async () => {
  const served = await bench.serve((request) =>
    stepOf(request) === 'write-text' ? answers('') : good.answer(request),
  );
  const { report, markdown } = await served.report('empty-text');
  expect(report.status).toBe('partial');
  const sentence =
    'The model large gave no usable text for pass 4 · write the text: its 2 answers were empty. The findings are quoted.';
  expect(report.warnings.at(-1)).toEqual({
    code: 'model-unusable',
    message: sentence,
    fallback: { step: 'write-text', reason: 'empty', sourceIds: [] },
  });
  expect(markdown).toContain(sentence);
  expect((await bench.colligate.run('empty-text').progress()).warnings).toEqual(report.warnings);
});

test('a source that the content filter refuses is named, and the report is written without it', async () => {
  const served = await bench.serve((request) =>
    messagesOf(request).join('\n').includes('Nearly 40%')
      ? refuses(400, { code: 'content_filter', message: 'The prompt was filtered.' })
      : good.answer(request),
  );
  const { report, markdown } = await served.report('filtered');
  const told = report.warnings.filter(({ code }) => code === 'source-refused');
  expect(told).toHaveLength(new Set(told.map(({ message }) => message)).size);
  const [first] = told;
  const id = first?.fallback?.sourceIds[0] ?? '';
  expect(first?.message).toMatch(
    /^The endpoint’s content filter refused the source “.+”\. It is left out\.$/,
  );
  expect(markdown).toContain(first?.message ?? '?');
  expect(report.citations.map(({ sourceId }) => sourceId)).not.toContain(id);
  expect(report.citations.length).toBeGreaterThan(8);
});

test('a report is the same whatever form its citations have', async () => {
  const FORMS: [string, (mark: string) => string][] = [
    ['brackets', (mark) => mark.replace(/\[(S\d+)\]/g, '【$1】')],
    ['bare', (mark) => mark.replace(/\[S(\d+)\]/g, '[$1]')],
    ['cite', (mark) => mark.replace(/\[(S\d+)\]/g, '[cite: $1]')],
    ['sup', (mark) => mark.replace(/\[(S\d+)\]/g, '<sup>[$1]</sup>')],
    ['source', (mark) => mark.replace(/\[(S\d+)\]/g, '(Source $1)')],
  ];
  const plain = await bench
    .serve((request) => good.answer(request))
    .then((served) => served.report('as-asked'));
  for (const [name, form] of FORMS) {
    const served = await bench.serve((request) =>
      stepOf(request) === 'write-text' ? answers(form(good.textFor(request))) : good.answer(request),
    );
    const record = await served.report(`as-${name}`);
    expect(record.report.status).toBe('completed');
    expect(comparable(record)).toEqual(comparable(plain));
  }
});
