import { BRIEF_PASSES } from '../../contracts/brief/passes';
import type { RunKind } from '../../contracts/kinds';
import type { RunMemo } from '../../contracts/run/run-messages';
import { NO_USAGE } from '../budget/usage';
import { briefMessage } from './brief-messages';
import { PASS_NAMES, passMessage } from './pass-messages';

export interface GivenCounts {
  sources: number;
  /** Of a brief. */
  subtopics?: number;
}

export function firstMemo(kind: RunKind, question: string, startedAt: Date, given: GivenCounts): RunMemo {
  const pass = firstPass(kind, given);
  return {
    question,
    startedAt: startedAt.toISOString(),
    status: 'queued',
    pass,
    passRefs: {},
    usage: { total: NO_USAGE, byPass: {} },
  };
}

function firstPass(kind: RunKind, { sources, subtopics }: GivenCounts): RunMemo['pass'] {
  switch (kind) {
    case 'answer':
      return { number: 0, of: 0, name: 'answer', message: 'Answering…' };
    case 'brief':
      return {
        number: 0,
        of: BRIEF_PASSES.length - 1,
        name: BRIEF_PASSES[0],
        message: briefMessage('gather', {
          subtopics: subtopics ?? null,
          checked: null,
          parts: null,
          judging: { doing: 'judge', version: 1 },
        }),
      };
    case 'report':
      return {
        number: 0,
        of: PASS_NAMES.length - 1,
        name: PASS_NAMES[0],
        message: passMessage('gather', { sources, inFull: sources }),
      };
  }
}
