import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEvent } from '../../../src/contracts/event';
import { PASS_NAMES } from '../../../src/contracts/run-protocol';
import { createGoodModel, type GoodModel } from '../../model-server/good-model';
import type { RunRecord } from '../../support/kills/run-record';
import { LONG } from '../../support/long';
import { describeWithData, sharedFile } from '../../support/shared-data';
import { type ModelBench, openModelBench, type ServedModels } from '../model-runs/model-bench';
import { problemsOfReferences, sourcesOfRun } from '../model-runs/report-problems';

/**
 * The acceptance tests of document 002, by their names, over real full texts: by the extractive engine and, in the long form,
 * by a model server that answers from the sources it is sent.
 */

const STUDIES = 'studies/sources.jsonl';
const SOURCES = 466;
const QUESTION = 'Which lifestyle interventions improve health outcomes, and by how much?';
/** Document 002 asks for conflicts on a controversial topic: of these studies a South African one denies what a Tanzanian one found. */
const DISPUTED = 'Does zinc supplementation reduce diarrhea in children?';
const MINUTE = 60_000;

let bench: ModelBench;
let served: ServedModels;
let model: GoodModel;
let folder: string;
let sourcesFile: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colligate-acceptance-'));
  sourcesFile = join(folder, 'sources.jsonl');
  const studies = (await readFile(sharedFile(STUDIES), 'utf8')).split('\n').slice(0, SOURCES);
  await writeFile(sourcesFile, studies.join('\n'));
  bench = await openModelBench();
  served = await bench.serve((request) => model.answer(request));
});
afterAll(async () => {
  await bench.rest();
  await bench.close();
  await rm(folder, { recursive: true });
});

describeWithData([STUDIES], `${SOURCES} studies`, () => {
  describe.each(LONG ? (['extractive', 'openai'] as const) : (['extractive'] as const))(
    'with the %s engine',
    (engine) => {
      let record: RunRecord;
      const runId = `acceptance-${engine}`;

      beforeAll(async () => {
        model = createGoodModel({ sections: 8 });
        record = await served.report(runId, {
          question: QUESTION,
          sources: { paths: [sourcesFile] },
          engine,
        });
      }, 10 * MINUTE);

      const events = <Type extends RunEvent['type']>(type: Type): Extract<RunEvent, { type: Type }>[] =>
        record.events.filter((event): event is Extract<RunEvent, { type: Type }> => event.type === type);

      it('all four passes complete, and nothing in the report is not in its sources', async () => {
        expect(record.report.status).toBe('completed');
        expect(record.report.sources.total).toBe(SOURCES);
        expect(problemsOfReferences(record.report, await sourcesOfRun(bench, runId))).toEqual([]);
        const outline = await bench.colligate.run(runId).outline();
        expect(outline?.sections.length).toBeGreaterThanOrEqual(5);
        expect(outline?.sections.length).toBeLessThanOrEqual(8);
        for (const { relevantSources, sourceScores } of outline?.sections ?? []) {
          expect(relevantSources.length).toBeGreaterThanOrEqual(5);
          expect(relevantSources.length).toBeLessThanOrEqual(15);
          expect(sourceScores).toHaveLength(SOURCES - record.report.sources.duplicates);
        }
        const found = events('deep-dive-section').map(({ payload }) => payload.findings);
        expect(Math.max(...found)).toBeLessThanOrEqual(20);
        expect(Math.min(...found)).toBeGreaterThanOrEqual(10);
      });

      it('Test 1: Citation Quantity', () => {
        const { citations, citationReport } = record.report;
        expect(new Set(citations.map(({ url }) => url)).size).toBeGreaterThanOrEqual(50);
        expect(citationReport.uniqueCitations).toBe(citations.length);
        expect(citationReport.meetsMinimum).toBe(true);
        expect(citationReport.lowCitationSections).toEqual([]);
      });

      it('Test 2: Report Length', () => {
        // The length is that of the prose, without the list of sources.
        const [prose = ''] = record.markdown.split('\n## Sources\n');
        const words = prose.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
        expect(words).toBeGreaterThanOrEqual(5_000);
        expect(words).toBeLessThanOrEqual(10_000);
      });

      it('Test 3: Citation Coverage', () => {
        const { citations, citationReport } = record.report;
        expect(citations.length).toBeGreaterThanOrEqual(47);
        expect(citationReport.coverage).toBeCloseTo(citations.length / SOURCES, 6);
        expect(citationReport.coverage).toBeGreaterThan(0.1);
        expect(events('citation-stats').map(({ payload }) => payload)).toEqual([
          { total: citations.length, coverage: citationReport.coverage },
        ]);
      });

      it('Test 4: Full Content Utilization', () => {
        const { retrievals, inFull } = record.report.sources;
        expect(retrievals.found).toBe(retrievals.requested);
        expect(retrievals.missing).toBe(0);
        expect(retrievals.found).toBeGreaterThanOrEqual(50);
        expect(inFull).toBeGreaterThanOrEqual(50);
        // The texts were read, not their summaries: 1,000 characters each would be less.
        expect(retrievals.chars).toBeGreaterThan(5_000 * retrievals.found);
        expect(Math.max(...events('deep-dive-section').map(({ payload }) => payload.sourcesUsed))).toBe(50);
      });

      it('Test 5: Information Gaps Identification', () => {
        const section = /^### Information Gaps\n\n([^]*?)\n\n##/m.exec(record.markdown)?.[1] ?? '';
        const items = section.split('\n').filter((line) => line.startsWith('- '));
        // The text has the first six, the report all of them.
        expect(items).toHaveLength(Math.min(6, record.report.gaps.length));
        expect(new Set(items).size).toBe(items.length);
        // Specific: it says what nobody found, or quotes a source that says so, rather than ask of a section whether others find the same.
        const specific = items.filter((item) => !item.includes('Do other sources find the same'));
        expect(specific.length).toBeGreaterThan(0);
        // A writer says it in its own words.
        if (engine === 'extractive') for (const item of specific) expect(item).toMatch(/“[^”]+”|\?\*\* \S/);
      });

      it(
        'Test 6: Conflict Detection',
        async () => {
          model = createGoodModel({ onQuestion: true });
          const {
            report,
            markdown,
            events: toldEvents,
          } = await served.report(`disputed-${engine}`, {
            question: DISPUTED,
            sources: { paths: [sourcesFile] },
            engine,
          });
          expect(report.sources.total).toBe(SOURCES);
          for (const { viewpoints } of report.conflicts) {
            expect(viewpoints.length).toBeGreaterThanOrEqual(2);
            for (const { citations } of viewpoints) expect(citations.length).toBeGreaterThan(0);
          }
          expect(toldEvents.filter(({ type }) => type === 'conflict-detected').length).toBeGreaterThanOrEqual(
            report.conflicts.length,
          );
          // Without a model only figures, dates and denials of near-identical sentences are compared.
          if (engine === 'extractive') return;
          const conflict = report.conflicts.find(({ topic }) => /\bzinc\b.*\bdiarrhea\b/.test(topic));
          const sides = (conflict?.viewpoints ?? []).map(({ statement, citations }) => ({
            denies: /\bdid not reduce diarrhea\b/.test(statement),
            statement,
            citations,
          }));
          // Opposite results on one outcome of one intervention, each with sources of its own.
          expect(sides.map(({ denies }) => denies).sort()).toEqual([false, true]);
          for (const { statement, citations } of sides) {
            expect(statement).toMatch(/zinc[^.]* diarrhea/i);
            expect(citations.length).toBeGreaterThan(0);
          }
          const [one = [], other = []] = sides.map(({ citations }) => citations);
          // Each side has citations of its own, of sources that the report lists.
          const listed = new Set(report.citations.map(({ n }) => n));
          for (const side of [one, other]) {
            expect(side.length).toBeGreaterThan(0);
            for (const n of side) expect(listed).toContain(n);
            expect(side.some((n) => markdown.includes(`[${n}]`))).toBe(true);
          }
          expect(one.filter((n) => other.includes(n))).toEqual([]);
        },
        10 * MINUTE,
      );

      it('Test 7: Processing Time', () => {
        const { total, byPass } = record.report.timings;
        // An hour is the document's limit, and more than this suite waits for the run.
        expect(total).toBeGreaterThan(0);
        expect(Object.keys(byPass).sort()).toEqual([...PASS_NAMES].sort());
      });

      it('Test 8: Confidence Scoring', () => {
        const { claims } = record.report;
        for (const { confidence } of claims) expect(confidence).toBeGreaterThan(0);
        // The major findings, which the summary tells, say how sure they are, and nothing else in the text does.
        const [, summary = '', rest = ''] =
          /^## Executive Summary\n\n([^]*?)\n\n(## [^]*)$/m.exec(record.markdown) ?? [];
        const bullets = summary.split('\n').filter((line) => /\[\d+\]/.test(line));
        expect(bullets.length).toBeGreaterThan(0);
        // Where all are as sure, one line says so of all.
        if (!/\n\*Confidence in these findings: (?:high|medium|low) \(/.test(summary))
          for (const bullet of bullets) expect(bullet).toMatch(/\((?:High|Medium|Low) confidence\)/);
        expect(rest).not.toMatch(/\((?:High|Medium|Low) confidence\)/);
        expect(record.report.findings?.some(({ isMajor }) => isMajor)).toBe(true);
      });
    },
  );
});
