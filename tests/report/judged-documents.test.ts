import { assembleReport } from '../../src/report/assemble-report';
import type { ReportParts } from '../../src/report/chapters';
import { judgedReport } from '../../src/report/judged-documents';
import { completeRun } from './report-fixture';

const judged = (run: ReportParts): ReturnType<typeof judgedReport> => judgedReport(run, assembleReport(run));

test('a section of quotes tells of the topic with its id', () => {
  const { parts, topics } = judged(completeRun());
  expect(topics.map(({ id, title }) => [id, title])).toEqual([
    ['section-1', 'Walking and blood pressure'],
    ['section-2', 'Swimming'],
  ]);
  expect(parts.map(({ id }) => id)).toEqual(expect.arrayContaining(['section-1', 'section-2']));
});

test('no topic has the id of a section of a whole text', () => {
  const run = completeRun();
  if (run.outline === null) throw new Error('The fixture has an outline.');
  const { parts, topics } = judged({
    ...run,
    text: { planned: run.outline, gaps: [], isChecked: true },
  });
  expect(topics.map(({ id }) => id)).toEqual(['topic-section-1', 'topic-section-2']);
  expect(parts.map(({ id }) => id)).toContain('section-1');
});
