import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createGoodModel, messagesOf } from '../../model-server/good-model';
import { startModelServer, type Behaviour, type ModelServer } from '../../model-server/model-server';
import { stepOfPrompt, type AskedStep } from '../../model-server/prompt-material';

/** A question to the model, as the model saw it. Times are milliseconds since 1970. */
export interface ModelCall {
  runId: string;
  step: AskedStep;
  /** Who asked, told by its API key. */
  worker: string;
  isHeld: boolean;
  /** When its answer had left whole; null where it has not, or is a refusal. */
  answeredAt: number | null;
  /** Who asked has gone before it was answered. */
  isCutOff: boolean;
  /** The call that asked for the same and was answered before this one came: it need not have been asked again. */
  repeats: ModelCall | null;
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
export interface WatchedModel extends Pick<ModelServer, 'baseUrl' | 'goAway' | 'comeBack' | 'close'> {
  /** Everything that was asked, in the order of arrival. */
  readonly calls: readonly ModelCall[];
  /** Holds what the rule wants until it is called off. */
  hold(rule: HoldRule): () => void;
}

export interface WatchedModelOptions {
  latencyMs: number;
  /** The run in whose prompts a text stands. */
  runOf?: (prompt: string) => string;
  /** What goes wrong with a call, of which the good answer is at hand; null where nothing does. */
  spoil?: (good: () => string) => Behaviour | null;
}

export async function startWatchedModel({
  latencyMs,
  runOf = () => '',
  spoil = () => null,
}: WatchedModelOptions): Promise<WatchedModel> {
  const model = createGoodModel();
  const calls: ModelCall[] = [];
  const answered = new Map<string, ModelCall>();
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
    (request) => {
      const messages = messagesOf(request);
      const key = createHash('sha256').update(JSON.stringify(request.body)).digest('hex');
      const call: ModelCall = {
        runId: runOf(messages.join('\n')),
        step: stepOfPrompt(...messages),
        worker: (request.headers.authorization ?? '').replace('Bearer ', ''),
        isHeld: false,
        answeredAt: null,
        isCutOff: false,
        repeats: answered.get(key) ?? null,
      };
      calls.push(call);
      const spoilt = spoil(() => model.textFor(request));
      return async (_request, response) => {
        response.once('finish', () => {
          if (response.statusCode !== 200) return;
          call.answeredAt = Date.now();
          answered.set(key, call);
        });
        response.once('close', () => (call.isCutOff = !response.writableFinished));
        const hold = holdOf(call);
        const wait = async (): Promise<void> => {
          call.isHeld = true;
          await Promise.race([hold?.over, request.closed]);
          call.isHeld = false;
          if (response.destroyed) throw new Error('Who asked has gone');
        };
        await delay(latencyMs);
        if (hold?.at === 'before the answer') await wait();
        const good = model.answer(request, hold?.at === 'halfway' ? { halfway: wait } : {});
        await (spoilt ?? good)(request, response);
      };
    },
    { models: ['good'] },
  );
  return {
    ...server,
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
  };
}
