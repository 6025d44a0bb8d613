import { join, resolve } from 'node:path';
import type { Behaviour, RecordedRequest } from '../../model-server/model-server';
import { createGoodModel, messagesOf } from '../../model-server/good-model';
import { stepOfPrompt } from '../../model-server/prompt-material';
import { openModelBench } from '../model-runs/model-bench';
import { forAllTests } from '../../support/for-all-tests';

const NOTES = resolve(__dirname, '../../../examples/vitamin-d');
const BEFORE = ['bosworth-2012-bone', 'jorde-2010-bone', 'moosavi-2015-copd', 'zendedel-2015-copd'];
const LATE = 'zheng-2018-dialysis';
/** What only the late note is about. */
const ABOUT = 'dialysis';

const bench = forAllTests(openModelBench);

function pathsOf(...notes: string[]): string[] {
  return notes.map((name) => join(NOTES, `${name}.md`));
}

/** A model that answers; the first request of a step waits until it is let go. */
function modelThatWaits(step: string): {
  script: (request: RecordedRequest) => Behaviour;
  reached: Promise<void>;
  letGo: () => void;
} {
  const model = createGoodModel();
  let tell = (): void => undefined;
  let letGo = (): void => undefined;
  const reached = new Promise<void>((resolve) => (tell = resolve));
  const free = new Promise<void>((resolve) => (letGo = resolve));
  let waits = true;
  return {
    reached,
    letGo: () => letGo(),
    script(request) {
      const answer = model.answer(request);
      if (!waits || stepOfPrompt(...messagesOf(request)) !== step) return answer;
      waits = false;
      return async (asked, response) => {
        tell();
        await free;
        await answer(asked, response);
      };
    },
  };
}

test('a source that comes when the report is written costs calls for itself and the sections that it concerns', async () => {
  const { script, reached, letGo } = modelThatWaits('write-summary');
  const served = await bench.serve(script);
  const { requests } = served.server;
  const runId = 'late-with-a-model';
  await served.start(runId, { sources: { paths: pathsOf(...BEFORE) } });
  await reached;
  const known = new Set(requests.map((request) => messagesOf(request).join('\n')));
  const before = requests.length;
  expect((await bench.colligate.run(runId).addSources({ paths: pathsOf(LATE) })).said).toMatch(/once more/);
  letGo();
  const { report: json, markdown } = await served.finished(runId);
  const later = requests.slice(before);
  expect(json.sources.total).toBe(BEFORE.length + 1);
  expect(markdown).toContain(ABOUT);
  const asked = later.map((request) => stepOfPrompt(...messagesOf(request)));
  // Nothing that was answered is asked again, word for word or for the sources that were read before.
  expect(later.filter((request) => known.has(messagesOf(request).join('\n')))).toEqual([]);
  for (const step of ['summarise', 'extract-findings']) {
    const prompts = later.map(messagesOf).filter((messages) => stepOfPrompt(...messages) === step);
    expect(prompts.every((messages) => messages.join('\n').includes(ABOUT))).toBe(true);
  }
  expect(asked).not.toContain('outline');
  const whole = await served.report('all-at-once', { sources: { paths: pathsOf(...BEFORE, LATE) } });
  expect(later.length).toBeLessThan(whole.report.usage.calls);
});
