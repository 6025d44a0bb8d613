// A report over the notes in examples/ by the openai engine, against a model server on loopback that takes a set time to
// answer: how much longer the run takes than the calls have to.
import { performance } from 'node:perf_hooks';
import { join } from 'node:path';
import { root } from '../checkout.mjs';
import { longestChain } from './longest-chain.mjs';
import { SLOTS, withModel } from './with-model.mjs';

const QUESTION = 'Does vitamin D supplementation improve health outcomes in adults?';
/** Asked first, so that the worker that is measured has done one before. */
const FIRST_QUESTION = 'What does vitamin D do for grown people?';
const NOTES = join(root, 'examples', 'vitamin-d');

export function measureModels(latencyMs) {
  return withModel(latencyMs, async ({ report, bill }) => {
    await report('first', FIRST_QUESTION, NOTES);
    const before = performance.timeOrigin + performance.now();
    const { timings, sections } = await report('measured', QUESTION, NOTES);
    const wallMs = Object.values(timings.byPass).reduce((sum, passMs) => sum + passMs, 0);
    // Each section is written in one; the notes are one group, with seven that ask a model or might, and seven that ask nobody.
    const activities = sections.length + 14;
    const calls = (await bill()).calls.filter(({ startMs }) => startMs > before);
    const chainMs = longestChain(calls);
    const boundMs = Math.max(chainMs, (calls.length * latencyMs) / SLOTS);
    return {
      latencyMs,
      slots: SLOTS,
      calls: calls.length,
      wallMs,
      chainMs,
      boundMs,
      ratio: wallMs / boundMs,
      steps: activities,
      beyondMsAStep: (wallMs - boundMs) / activities,
    };
  });
}
