// Answers by the openai engine over the notes of examples/, against a model server on loopback that takes a set time: what is
// waited beyond the time in which at least one call was under way.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../checkout.mjs';
import { busyMs } from './history-figures.mjs';
import { withModel } from './with-model.mjs';

const require = createRequire(import.meta.url);
const { openColligate } = require(join(root, 'dist', 'client.js'));

const WARMING = 'What does vitamin D do for grown people?';
const QUESTIONS = ['falls', 'fractures', 'colds', 'asthma', 'pain'].map(
  (outcome) => `Does vitamin D change ${outcome} in adults?`,
);
const good = { name: 'good', contextTokens: 128_000, price: null };

export function measureAnswersByModel(latencyMs) {
  return withModel(latencyMs, async ({ folder, bill }) => {
    const colligate = await openColligate({ dataDir: join(folder, '.colligate') });
    const asked = [];
    try {
      const corpus = await colligate.openCorpus({ paths: [join(root, 'examples', 'vitamin-d')] });
      for (const question of [WARMING, ...QUESTIONS]) {
        const since = performance.timeOrigin + performance.now();
        const models = { fast: good, strong: good, critic: good };
        await colligate.answer({ question, corpus, engine: 'openai', models });
        asked.push({ since, until: performance.timeOrigin + performance.now() });
      }
    } finally {
      await colligate.close();
    }
    const { calls } = await bill();
    return asked.slice(1).map(({ since, until }) => {
      const own = calls.filter(({ startMs }) => startMs >= since && startMs < until);
      const inCallsMs = busyMs(own.map(({ startMs, endMs }) => ({ startedAt: startMs, endedAt: endMs })));
      return { calls: own.length, ms: until - since, beyondMs: until - since - inCallsMs };
    });
  });
}
