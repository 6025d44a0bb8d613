import { setTimeout as delay } from 'node:timers/promises';
import { createGoodModel, messagesOf } from './good-model';
import { startModelServer } from './model-server';
import { promptCosts } from './prompt-costs';
import { stepOfPrompt, type AskedStep } from './prompt-material';

interface ServedCall {
  step: AskedStep;
  prompt: string;
  startMs: number;
  endMs: number;
}

/**
 * The good model as a process of its own, for measurements. Arguments: how many milliseconds it takes to answer, and `times`
 * where prompts are too many to be compared. It writes its base URL as a line of JSON, and its bill with the time, the
 * question and else the prompt's cost of every call when it is told to end.
 */
async function main(): Promise<void> {
  const latencyMs = Number(process.argv[2] ?? '0');
  const model = createGoodModel({ sections: 8 });
  const calls: ServedCall[] = [];
  const server = await startModelServer(
    (request) => async (_request, response) => {
      const messages = messagesOf(request);
      const call = { step: stepOfPrompt(...messages), prompt: messages.join('\n'), startMs: now(), endMs: 0 };
      calls.push(call);
      await delay(latencyMs);
      await model.answer(request)(request, response);
      call.endMs = now();
    },
    { models: ['good'] },
  );
  process.stdout.write(`${JSON.stringify({ baseUrl: server.baseUrl })}\n`);
  process.once('SIGTERM', () => {
    const costs = process.argv[3] === 'times' ? [] : promptCosts(calls.map(({ prompt }) => prompt));
    const told = calls.map(({ prompt, ...call }, at) => ({
      ...call,
      question: QUESTION.exec(prompt)?.[1] ?? null,
      ...costs[at],
    }));
    process.stdout.write(`${JSON.stringify({ ...model.bill, calls: told })}\n`);
    void server.close();
  });
}

/** How prompts that have the run's question say it. */
const QUESTION = /^The (?:question|\w+ is to answer|\w+ answers): (.*)$/m;

/** Milliseconds on a clock that other processes share. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

void main();
