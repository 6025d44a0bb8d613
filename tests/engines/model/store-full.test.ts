import { extractFindings } from '../../../src/steps/extract-findings/extract-findings';
import { StoreWriteError } from '../../../src/stores/errors/store-write-error';
import type { ResponseCache } from '../../../src/stores/response-cache';
import { answersJson } from '../../model-server/behaviours';
import { untilTrue } from '../../support/until';
import { closeEngines, context, engineAgainst, engineOn } from './engine-under-test';
import { FALLS_ANSWER, FALLS_INPUT } from './material';

afterEach(closeEngines);

/** The cache, which takes no answers while `isFull`. */
function fillable(cache: ResponseCache): ResponseCache & { isFull: boolean } {
  const one: ResponseCache & { isFull: boolean } = {
    get: (...given) => cache.get(...given),
    acquireLease: (...given) => cache.acquireLease(...given),
    releaseLease: (...given) => cache.releaseLease(...given),
    clearRun: (...given) => cache.clearRun(...given),
    isFull: true,
    async put(...given) {
      if (one.isFull) throw new StoreWriteError('the store', new Error('no room'));
      await cache.put(...given);
    },
  };
  return one;
}

test('an answer that the store had no room for is not asked again: the next attempt stores it', async () => {
  const { server, stores } = await engineAgainst([answersJson(FALLS_ANSWER)]);
  const cache = fillable(stores.responses);
  const engine = engineOn({ baseUrl: server.baseUrl, cache });
  const ask = () => engine.run(extractFindings, FALLS_INPUT, context());
  await expect(ask()).rejects.toThrow(StoreWriteError);
  await expect(ask()).rejects.toThrow(StoreWriteError);
  cache.isFull = false;
  const { output, usage } = await ask();
  expect(output.findings).toHaveLength(1);
  expect(usage).toMatchObject({ calls: 0, cachedCalls: 1, inputTokens: 11, outputTokens: 7 });
  expect(server.asked).toHaveLength(1);
});

test('it is stored as soon as there is room, so that another worker need not ask either', async () => {
  const { server, stores, another } = await engineAgainst([answersJson(FALLS_ANSWER)]);
  const cache = fillable(stores.responses);
  let stored = 0;
  const engine = engineOn({
    baseUrl: server.baseUrl,
    cache: { ...cache, put: async (...given) => void (await cache.put(...given), (stored += 1)) },
  });
  await expect(engine.run(extractFindings, FALLS_INPUT, context())).rejects.toThrow(StoreWriteError);
  cache.isFull = false;
  await untilTrue(() => stored > 0);
  await another().run(extractFindings, FALLS_INPUT, context());
  expect(server.asked).toHaveLength(1);
});
