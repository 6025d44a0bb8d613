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

const found = (source: string, confidence: number, claim: string, quote: string) => ({
  claim,
  evidence: [{ source, quote }],
  confidence,
});
const FINDINGS = [
  found(
    'S1',
    0.8,
    'In 421 overweight adults in North Norway, one year of 20,000 or 40,000 IU of vitamin D3 a week did not change bone density at the spine or hip relative to placebo.',
    'After one year, high doses of vitamin D had no significant effect on bone mineral density at the lumbar spine or the hip compared with placebo.',
  ),
  found(
    'S1',
    0.8,
    'Weekly doses of 40,000 IU more than doubled serum 25(OH)D, from 58 to 141 nmol/L.',
    'Mean serum 25-hydroxyvitamin D rose from 58 nmol/L to 141 nmol/L with 40,000 IU a week and to 100 nmol/L with 20,000 IU a week.',
  ),
  found(
    'S2',
    0.85,
    'Calcium plus 800 IU of vitamin D3 daily slowed bone loss at the forearm in 610 elderly French women over two years.',
    'Calcium with vitamin D3 significantly reduced the loss of bone mineral density at the distal radius compared with placebo over two years (p = 0.005).',
  ),
  found(
    'S3',
    0.75,
    'A year of calcitriol left markers of bone formation and resorption unchanged in type 1 diabetes (as of 2013).',
    'After one year, calcitriol had no significant effect on bone turnover: neither osteocalcin, a marker of bone formation, nor beta-CrossLaps, a marker of bone resorption, differed from placebo.',
  ),
  found(
    'S4',
    0.8,
    'Inflammatory markers were the same with vitamin D and with placebo among overweight or obese adults.',
    'Vitamin D supplementation had no effect on inflammatory markers in overweight adults: C-reactive protein, tumour necrosis factor and interferon-gamma did not differ between vitamin D and placebo (all p > 0.05).',
  ),
];

const SECTION_TEXT = `The evidence on bone mineral density points in two directions. In a Norwegian trial of 421 overweight adults, Jorde and colleagues (2010) found that neither 20,000 nor 40,000 IU of vitamin D3 a week for one year changed bone density at the lumbar spine or the hip compared with placebo [S1]. By contrast, a post-hoc analysis of 610 elderly women by Bosworth and colleagues (2012) reports that calcium with 800 IU of vitamin D3 a day "significantly reduced the loss of bone mineral density at the distal radius" over two years (p = 0.005) [S2].

Several differences may explain this. The adults in North Norway were overweight [S1], while the women in the other trial were elderly and got calcium together with vitamin D [S2].

### Turnover

Markers of bone turnover did not respond either: in people with type 1 diabetes, a year of calcitriol affected neither osteocalcin, which marks formation, nor beta-CrossLaps, which marks resorption [S3]. This is not for want of vitamin D in the blood, which rose from 58 to 141 nmol/L with 40,000 IU a week [S1].`;

const SUMMARY_TEXT = `# Vitamin D and bone: benefit in elderly women, none in overweight adults

- High-dose vitamin D for one year had no significant effect on bone mineral density in overweight adults [S1].
- Calcium with vitamin D3 slowed bone loss at the distal radius in elderly women over two years (p = 0.005) [S2].
- Neither bone turnover in type 1 diabetes [S3] nor inflammatory markers in overweight adults [S4] differed from placebo.

## Questions

- Would people with low bone mineral density benefit from vitamin D without calcium?
- Does the effect of supplementation on bone depend on vitamin D status at baseline?
- How long must calcitriol be taken before bone turnover responds?`;

const relevant = (sources: Record<string, number>): unknown =>
  Object.entries(sources).map(([source, relevance]) => ({ source, relevance }));

const OUTLINE = {
  overallTheme:
    'Supplementation raises vitamin D levels reliably, but trials disagree on whether this translates into stronger bones, and find no effect on inflammation.',
  sections: [
    {
      title: 'Skeletal outcomes: density and turnover',
      description:
        'How supplementation affects bone mineral density and biochemical markers, and where trials disagree.',
      subsections: [{ title: 'Bone density', sources: ['S1', 'S2'] }],
      sources: relevant({ S1: 0.95, S2: 0.9, S3: 0.75 }),
    },
    {
      title: 'Inflammation and metabolic effects',
      description: 'Whether supplementation changes inflammatory or metabolic markers.',
      subsections: [],
      sources: relevant({ S4: 0.95, S3: 0.55 }),
    },
  ],
};

test('what a good model says of real sources passes whole, in one call a step', async () => {
  const { engine, server } = await engineAgainst(
    byPrompt([
      ['You plan a research report', answersJson(OUTLINE)],
      ['You read sources for one section', answersJson({ findings: FINDINGS })],
      ['You write one section', answers(SECTION_TEXT)],
      ['You write the opening', answers(SUMMARY_TEXT)],
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
  expect(findings.map(({ claim }) => claim)).toEqual(FINDINGS.map(({ claim }) => claim));
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
