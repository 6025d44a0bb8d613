import type { Report } from '../../../src/client';
import type { EngineName } from '../../../src/contracts';
import { createGoodModel, messagesOf } from '../../model-server/good-model';
import type { RecordedRequest } from '../../model-server/model-server';
import { stepOfPrompt } from '../../model-server/prompt-material';
import { forAllTests } from '../../support/for-all-tests';
import { LONG } from '../../support/long';
import { until } from '../../support/until';
import { endedFirings, openScheduleBench, QUESTION, reportOf } from './schedule-bench';

const bench = forAllTests(() => openScheduleBench());

afterEach(() => bench.rest());

/** Of the note that comes. */
const TITLE = 'Effect of vitamin D on proteinuria in type 2 diabetic patients';
/** What it finds, in words that no other note has. */
const FINDS = 'proteinuria';

describe.each<EngineName>(LONG ? ['extractive', 'openai'] : ['openai'])(
  'a schedule every two seconds, %s engine',
  (engine) => {
    test('tells what changed when a source came, and pays for that source alone', async () => {
      const model = createGoodModel();
      const askedIn: { runs: number; request: RecordedRequest }[] = [];
      let runs = 0;
      const { models } = await bench.serve((request) => {
        askedIn.push({ runs, request });
        return model.answer(request);
      });
      const folder = await bench.newFolder();
      await folder.add(0, 9);
      const report = {
        question: QUESTION,
        sources: { paths: [folder.path] },
        searchAttributes: true,
        synthesis: bench.synthesis,
        engine,
        models,
      };
      const schedule = await bench.colligate.createSchedule({
        name: `every-two-${engine}`,
        times: { everyMs: 2_000 },
        run: { report },
      });
      await endedFirings(schedule, (firings) => firings.length > 0);
      runs += 1;
      await folder.add(9, 10);
      // The run under way when the note came may have read the folder before.
      const reports = await until(
        async () => {
          const firings = await endedFirings(schedule, () => true);
          return Promise.all(firings.map((firing) => reportOf(bench, firing)));
        },
        (all) => placeOfChange(all) >= 0 && all.length > placeOfChange(all) + 1,
      );
      await schedule.delete();

      const at = placeOfChange(reports);
      const [before, changed, next] = [reports[at - 1], reports[at], reports[at + 1]];
      expect(reports[0]?.since).toBeUndefined();
      expect(changed?.since).toMatchObject({ runId: before?.id, changed: true });
      expect(changed?.since?.summary?.sources.read).toMatchObject({
        came: 1,
        changed: 0,
        went: 0,
        unchanged: 9,
      });
      expect(changed?.since?.changes[0]).toMatchObject({ kind: 'source-came' });
      expect(changed?.since?.changes[0]?.line).toContain(TITLE);
      expect(sinceChapter(changed)).toMatch(/^Since run \S+ of [-\d]+: sources 1 new; findings \d+ new/);
      expect(sinceChapter(changed)).toContain(`**New source**: `);
      expect(next?.since).toMatchObject({ runId: changed?.id, changed: false, changes: [] });
      expect(sinceChapter(next)).toMatch(
        /^Since run .* nothing changed: 10 sources, \d+ findings.* as before\.$/,
      );
      const found = await bench.colligate.diff(changed?.id ?? '', next?.id ?? '');
      expect(found.summary).toEqual(next?.since?.summary);

      expect(next?.usage.calls).toBe(0);
      // Each new prompt has the new source, or is of passages that a text with other sentences cites.
      const [early, anew] = [0, 1].map((from) => askedIn.filter((asked) => Math.min(asked.runs, 1) === from));
      const known = new Set(early?.map(({ request }) => materialOf(request)));
      const needless = anew?.filter(({ request }) => !holds(request) && known.has(materialOf(request))) ?? [];
      expect(needless.map(({ request }) => stepOfPrompt(...messagesOf(request)))).toEqual([]);
      const others = anew?.filter(({ request }) => !holds(request)) ?? [];
      const steps = new Set(others.map(({ request }) => stepOfPrompt(...messagesOf(request))));
      const ofTheText = ['mend-text', 'audit-text', 'judge'];
      expect([...steps].filter((step) => !ofTheText.includes(step))).toEqual([]);
      expect(anew?.length).toBeLessThanOrEqual(early?.length ?? 0);
    });
  },
);

function placeOfChange(reports: readonly Report[]): number {
  return reports.findIndex(({ since }) => since?.changed === true);
}

function holds(request: RecordedRequest): boolean {
  return messagesOf(request).join('\n').toLowerCase().includes(FINDS);
}

/** What a prompt is about, whatever its pieces are called in it: all its quotations; all of one that quotes nothing. */
function materialOf(request: RecordedRequest): string {
  const prompt = messagesOf(request).join('\n');
  const quotations = prompt.match(/: “[^”]+”$/gm) ?? [prompt];
  return `${stepOfPrompt(...messagesOf(request))} ${[...new Set(quotations)].sort().join('\n')}`;
}

function sinceChapter(report: Report | undefined): string {
  return /\n## Since the last report\n\n([^]*?)\n\n## /.exec(report?.markdown ?? '')?.[1] ?? '';
}
