import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceWindow } from '../../../src/contracts/source/passage';
import { splitPassages } from '../../../src/language/passages';
import { extractFindings } from '../../../src/steps/extract-findings/extract-findings';
import { outline } from '../../../src/steps/outline/outline';
import { writeSection } from '../../../src/steps/write-section/write-section';
import { writeSummary } from '../../../src/steps/write-summary/write-summary';
import { answers, answersJson } from '../../model-server/behaviours';
import { byPrompt, closeEngines, context, engineAgainst } from './engine-under-test';
import written from './good-writer.json';

afterEach(closeEngines);

/** Real notes: what a good model writes of them has to pass whole. */
const NOTES = [
  ['jorde-2010-bone', 'Jorde Rolf; Sneve Monica; Torjesen Peter A et al.', '2010'],
  ['bosworth-2012-bone', 'Bosworth Cortney; de Boer Ian H.; Targher Giovanni et al.', '2012'],
  ['napoli-2013-bone-turnover', 'Napoli Nicola; Strollo Rocky; Pitocco Dario et al.', '2013'],
  ['mousa-2017-inflammation', 'Mousa Aya; Naderpoor Negar; Johnson Josphin et al.', '2017'],
] as const;

const CONTENT = new Map(
  NOTES.map(([name]) => [
    name as string,
    readFileSync(join(__dirname, '../../../examples/vitamin-d', `${name}.md`), 'utf8').replace(
      /^---[^]*?---\n/,
      '',
    ),
  ]),
);

const SOURCES: SourceWindow[] = NOTES.map(([name, author, publishedAt]) => ({
  sourceId: name,
  title: name.replaceAll('-', ' '),
  author,
  publishedAt,
  quality: { level: 'authoritative', reason: 'test' },
  summaryOnly: false,
  passages: splitPassages(CONTENT.get(name) ?? ''),
}));

const QUESTION = 'Does vitamin D supplementation improve health in adults?';
const SECTION = {
  id: 'section-1',
  title: 'Bone density and turnover',
  description: 'Whether supplementation changes bone mineral density or markers of bone turnover.',
  subsections: ['Density', 'Turnover'],
};

test('what a good model says of real sources passes whole, in one call a step', async () => {
  const { engine, server } = await engineAgainst(
    byPrompt([
      ['You plan a research report', answersJson(written.outline)],
      ['You read sources for one section', answersJson({ findings: written.findings })],
      ['You write one section', answers(written.section)],
      ['You write the opening', answers(written.summary)],
    ]),
  );
  const summarised = SOURCES.map((source) => ({
    ...source,
    summary: (CONTENT.get(source.sourceId) ?? '').slice(0, 1_000),
  }));
  const planned = await engine.run(outline, { question: QUESTION, sources: summarised }, context());
  expect(planned.warnings).toEqual([]);
  expect(planned.output.sections).toHaveLength(2);
  const reading = { question: QUESTION, section: SECTION, sources: SOURCES, findings: { min: 5, max: 20 } };
  const extracted = await engine.run(extractFindings, reading, context());
  expect(extracted.warnings).toEqual([]);
  const { findings } = extracted.output;
  expect(findings.map(({ claim }) => claim)).toEqual(written.findings.map(({ claim }) => claim));
  const material = { question: QUESTION, conflicts: [], sources: SOURCES };
  const subsections = SECTION.subsections.map((title) => ({ title, sourceIds: [] }));
  const writing = { ...material, section: { ...SECTION, subsections }, findings, targetWords: 180 };
  const section = await engine.run(writeSection, writing, context());
  expect(section.warnings).toEqual([]);
  const told = section.output.claims.map(({ findingIds }) => findingIds.map((id) => id.at(-1)).join());
  expect(told).toEqual(['1', '3', '1,3', '4', '2']);
  const { overallTheme } = planned.output;
  const opening = { ...material, overallTheme, sections: [{ section: SECTION, findings }], gaps: [] };
  const summary = await engine.run(writeSummary, opening, context());
  expect(summary.warnings).toEqual([]);
  expect(summary.output.bullets).toHaveLength(3);
  expect(summary.output.followUpQuestions).toHaveLength(3);
  expect(server.asked).toHaveLength(4);
});
