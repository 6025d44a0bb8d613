import type { SourceRecord } from '../../src/contracts/source/source';
import { readRecords } from '../../src/sources/read-records';
import type { SourceReading } from '../../src/sources/source-reading';

async function read(records: Parameters<typeof readRecords>[0]): Promise<SourceReading[]> {
  const readings: SourceReading[] = [];
  for await (const reading of readRecords(records)) readings.push(reading);
  return readings;
}

async function* asTheyCome(records: readonly SourceRecord[]): AsyncGenerator<SourceRecord> {
  for (const record of records) {
    await Promise.resolve();
    yield record;
  }
}

const WALKS: SourceRecord = {
  content: 'Walking every day lowers the pressure of the blood in most adults here.',
};

it('names a record without a title by its heading or its first words, and gives it an id', async () => {
  const [headed, plain] = await read([{ content: '# Sleep\n\nText.' }, WALKS]);
  expect(headed).toMatchObject({ ok: true, line: 1, record: { title: 'Sleep' } });
  expect(plain).toMatchObject({
    ok: true,
    line: 2,
    record: {
      title: 'Walking every day lowers the pressure of the…',
      id: expect.stringMatching(/^walking-every-day-[a-z-]*[0-9a-f]{12}$/) as string,
    },
  });
});

it('reads the same from a list, a set and a stream', async () => {
  const records = [WALKS, { id: 'b', content: 'b' }];
  const fromList = await read(records);
  expect(await read(new Set(records))).toEqual(fromList);
  expect(await read(asTheyCome(records))).toEqual(fromList);
});

it('tells what is wrong with a record by its place', async () => {
  // A program without types gives anything.
  const given = [
    { id: 'a', content: 'x' },
    { title: 'no text' },
    { id: 'a', content: 'y' },
    5,
  ] as SourceRecord[];
  const problems = (await read(given)).flatMap((reading) => (reading.ok ? [] : [reading.problem]));
  expect(problems).toEqual([
    { file: 'records', line: 2, message: expect.stringContaining('content is missing') as string },
    { file: 'records', line: 3, message: expect.stringContaining('that of records:1 already') as string },
    { file: 'records', line: 4, message: expect.stringContaining('a number where a record') as string },
  ]);
  expect(await read([])).toEqual([{ ok: false, problem: { file: 'records', message: 'there is none' } }]);
});
