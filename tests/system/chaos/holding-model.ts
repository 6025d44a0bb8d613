import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createGoodModel, messagesOf } from '../../model-server/good-model';
import { startModelServer } from '../../model-server/model-server';
import { stepOfPrompt, type AskedStep } from '../../model-server/prompt-material';

/** A question to the model, as the model saw it. Times are milliseconds since 1970. */
export interface ModelCall {
  runId: string;
  step: AskedStep;
  /** Who asked, told by its API key. */
  worker: string;
  /** The same for the same request. */
  request: string;
  arrivedAt: number;
  isHeld: boolean;
  /** When its answer had left whole; null where it has not. */
  answeredAt: number | null;
  /** Who asked has gone before it was answered. */
  isCutOff: boolean;
}

/** Which calls are held from now on. */
export interface HoldRule {
  runId: string;
  step: AskedStep;
  /** So many of them are answered before. */
  after: number;
  /** Whether half of the answer leaves before it is held. */
  at: 'before the answer' | 'halfway';
}

/** The good model, which is not killed, sees everything that is asked, and can keep its answers back. */
export interface HoldingModel {
  baseUrl: string;
  /** Everything that was asked, in the order of arrival. */
  readonly calls: readonly ModelCall[];
  /** Holds what the rule wants until it is called off. */
  hold(rule: HoldRule): () => void;
  close(): Promise<void>;
}

const LATENCY_MS = 60;

/** `runOf` names the run in whose prompts a text stands. */
export async function startHoldingModel(runOf: (prompt: string) => string): Promise<HoldingModel> {
  const model = createGoodModel({ sections: 6 });
  const calls: ModelCall[] = [];
  const holds = new Set<{ rule: HoldRule; passed: number; over: Promise<void> }>();

  /** The hold that a call has run into, or null. */
  function holdOf(call: ModelCall): { at: HoldRule['at']; over: Promise<void> } | null {
    for (const hold of holds) {
      if (hold.rule.runId !== call.runId || hold.rule.step !== call.step) continue;
      if (hold.passed >= hold.rule.after) return { at: hold.rule.at, over: hold.over };
      hold.passed += 1;
    }
    return null;
  }

  const server = await startModelServer(
    (request) => async (_request, response) => {
      const messages = messagesOf(request);
      const call: ModelCall = {
        runId: runOf(messages.join('\n')),
        step: stepOfPrompt(...messages),
        worker: (request.headers.authorization ?? '').replace('Bearer ', ''),
        request: createHash('sha256').update(JSON.stringify(request.body)).digest('hex'),
        arrivedAt: Date.now(),
        isHeld: false,
        answeredAt: null,
        isCutOff: false,
      };
      calls.push(call);
      response.once('finish', () => (call.answeredAt = Date.now()));
      response.once('close', () => (call.isCutOff = call.answeredAt === null));
      const hold = holdOf(call);
      const wait = async (): Promise<void> => {
        call.isHeld = true;
        await Promise.race([hold?.over, request.closed]);
        call.isHeld = false;
        if (response.destroyed) throw new Error('Who asked has gone');
      };
      await delay(LATENCY_MS);
      if (hold?.at === 'before the answer') await wait();
      await model.answer(request, hold?.at === 'halfway' ? { halfway: wait } : {})(request, response);
    },
    { models: ['good'] },
  );
  return {
    baseUrl: server.baseUrl,
    calls,
    hold(rule) {
      let end = (): void => undefined;
      const over = new Promise<void>((resolve) => (end = resolve));
      const hold = { rule, passed: 0, over };
      holds.add(hold);
      return () => {
        holds.delete(hold);
        end();
      };
    },
    close: () => server.close(),
  };
}
