import type { AdmittedAnswer } from '../../activities/answer/admit-answer';
import type { ToldCritique } from '../../activities/answer/told-critique';
import { computing } from './activities';
import { admit } from './admit';
import type { AnswerRun } from './answer-run';
import { carryOutAttempt, type AttemptStart } from './attempt';
import { findPassages, type FoundPassages } from './find-passages';
import { judgeAnswer } from './judge-answer';
import { orWithWhatThereIs } from './or-with-what-there-is';
import { tellDecision } from './tell-decision';

/** What it may rest on, then attempts until one stands or none is left; whatever fails, the reply is made of what there is. */
export async function carryOutAnswer(run: AnswerRun): Promise<void> {
  await orWithWhatThereIs(run, async () => {
    const admitted = await admit(run);
    await run.pass(
      'answer',
      () => carryOutAttempts(run, admitted),
      () => undefined,
    );
  });
}

/** Each attempt reads what the first has found, or what was looked for more broadly, and knows what was wrong before. */
async function carryOutAttempts(run: AnswerRun, admitted: AdmittedAnswer): Promise<void> {
  const { carried, input } = run;
  if (admitted.manifestRef === null && admitted.given === 0) return; // there is nothing to look in
  if (admitted.manifestRef !== null && !admitted.isIndexed) {
    const request = { run: run.brief, manifestRef: admitted.manifestRef };
    await run.carryOut(computing.indexCorpus, request, 'index what is searched');
  }
  let found: FoundPassages | null = null;
  const contexts: AttemptStart['contexts'] = new Map();
  let looksMoreBroadly = false;
  let isBroadened = false;
  let critique: ToldCritique | null =
    admitted.critiqueRef === null ? null : { critiqueRef: admitted.critiqueRef, passagesRef: null };
  for (let attempt = 1; attempt <= input.answers.maxAttempts; attempt += 1) {
    carried.attempts = attempt;
    if (found === null || looksMoreBroadly) {
      isBroadened = found !== null;
      found = await findPassages(run, admitted, { attempt, before: found, critique });
    }
    const decided = await carryOutAttempt(run, {
      admitted,
      attempt,
      found,
      isBroadened,
      critique,
      contexts,
    });
    await tellDecision(run, attempt, decided);
    if (decided.decision === 'end') break;
    looksMoreBroadly = decided.decision === 'broaden';
    critique = carried.critique ?? critique;
  }
  if (found !== null) {
    const context = contexts.get(found.passagesRef) ?? null;
    await judgeAnswer(run, { admitted, found, context });
  }
}
