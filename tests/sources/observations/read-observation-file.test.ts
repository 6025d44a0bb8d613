import { readObservationFile } from '../../../src/sources/observations/read-observation-file';
import { readObservations } from '../../../src/sources/observations/read-observations';
import { toldProblems, useSourceFolder } from '../source-folder';

const folder = useSourceFolder();

const BLOCK = 'Source: a.pdf (Page 1)\nContent: One.\nSimilarity: 0.9';
const OTHER = 'Title: B\nURL: https://example.org/b\nContent: Two.';

it('takes each block of a text for an observation, a tool’s name with the block behind it', async () => {
  const all = `Used tool: search\n${BLOCK}\n\n${OTHER}\n\nUsed tool: other\n\nA remark.`;
  const file = await folder.write('o.txt', all);
  const { observations, problems } = await readObservationFile(file);
  expect(observations).toEqual([`Used tool: search\n${BLOCK}`, OTHER, 'Used tool: other', 'A remark.']);
  expect(problems).toEqual([]);
  const texts = readObservations(observations).passages.map(({ text }) => text);
  expect(texts).toEqual(['One.', 'Two.', 'A remark.']);
});

it('reads lists of texts and of objects, as JSON and as JSON lines', async () => {
  const item = { source: 'a.pdf', page: 2, content: 'One.', similarity: 0.9 };
  const list = await readObservationFile(await folder.write('o.json', JSON.stringify([OTHER, item])));
  const lines = await readObservationFile(
    await folder.write('o.jsonl', `${JSON.stringify(OTHER)}\n\n${JSON.stringify(item)}\n`),
  );
  expect(lines).toEqual(list);
  expect(readObservations(list.observations).passages).toMatchObject([
    { document: 'B', text: 'Two.' },
    { document: 'a.pdf', pages: { from: 2, to: 2 }, text: 'One.', score: 0.9 },
  ]);
});

test.each([
  ['o.json', '[1]', /^o\.json: observation 1: no observation; needed is/],
  ['o.json', '{"a": ', /^o\.json: .*not valid JSON/],
  ['o.jsonl', '"x"\n{', /^o\.jsonl:2: .*not valid JSON/],
  ['o.txt', ' \n', /^o\.txt: the file is empty$/],
  ['o.csv', 'a,b', /^o\.csv: .*allowed are \.txt/],
  ['o.txt', '\u0000', /^o\.txt:1: a binary file, not text$/],
])('says what is wrong with %s: %s', async (name, content, problem) => {
  const { problems } = await readObservationFile(await folder.write(name, content));
  expect(toldProblems(problems, folder)).toEqual([expect.stringMatching(problem)]);
});

it('says that there is no such file', async () => {
  const { problems } = await readObservationFile('nowhere.txt');
  expect(problems).toEqual([{ file: 'nowhere.txt', message: 'no such file or folder' }]);
});
