import type { Evidence } from '../../contracts/report/finding';
import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';
import { AUDITED_AT_ONCE } from '../../core/budget/call-estimates';
import { addUsage, NO_USAGE } from '../../core/budget/usage';
import { eventKey } from '../../core/run/event-key';
import { audit } from '../../steps/audit/audit';
import type { AuditInput, AuditOutput, SentenceVerdict } from '../../steps/audit/contract';
import type { ActivityPorts, StepBrief } from './ports';
import { runStep, type Spent } from './run-step';

/** A sentence that words alone cannot decide. */
export interface OpenSentence {
  place: number;
  plain: string;
  evidence: Evidence[];
  byWords: ClaimVerdict;
}

export interface CriticsAnswer extends Spent {
  /** By the sentence's place. */
  verdicts: Map<number, ClaimVerdict>;
  logicalGaps: string[];
}

const NOT_BELIEVED = {
  code: 'critic-not-believed',
  message:
    'A critic did not recognise a quote of a source, word for word, as supported by that source; what it refused counts as unchecked.',
};
const CONTROL = 'control';
/** A quote of fewer words says too little for a control. */
const CONTROL_WORDS = 6;

/** Has the critic say of the sentences whether the quotes that they cite bear them, in batches with a control each. */
export async function askCritic(
  ports: ActivityPorts,
  run: StepBrief,
  open: readonly OpenSentence[],
  at: Pick<Parameters<typeof runStep>[4], 'place' | 'signal'>,
): Promise<CriticsAnswer> {
  const answer: CriticsAnswer = { verdicts: new Map(), logicalGaps: [], usage: NO_USAGE, warnings: [] };
  const batches = Math.ceil(open.length / AUDITED_AT_ONCE);
  const share = run.maxTokens === undefined ? {} : { maxTokens: Math.floor(run.maxTokens / batches) };
  for (let batch = 0; batch < batches; batch += 1) {
    const asked = open.slice(batch * AUDITED_AT_ONCE, (batch + 1) * AUDITED_AT_ONCE);
    const place = { ...at.place, ordinal: batch };
    const judged = await judgeBatch(asked, (input) =>
      runStep(ports, { ...run, ...share }, audit, input, { ...at, place }),
    );
    answer.usage = addUsage(answer.usage, judged.usage);
    answer.warnings.push(...judged.warnings);
    answer.logicalGaps.push(...judged.logicalGaps);
    if (judged.isDoubted) {
      const key = eventKey({ ...place, step: audit.name, type: 'warning', ordinal: `${batch}.control` });
      await ports.events.appendOnce(run.runId, key, { type: 'warning', payload: NOT_BELIEVED });
    }
    for (const [place, verdict] of judged.verdicts) answer.verdicts.set(place, verdict);
  }
  return answer;
}

/** Asks once for all of these sentences; what the critic refuses counts only where it recognised the control. */
export async function judgeBatch(
  asked: readonly OpenSentence[],
  ask: (input: AuditInput) => Promise<{ output: AuditOutput } & Spent>,
): Promise<CriticsAnswer & { isDoubted: boolean }> {
  const { output, usage, warnings } = await ask(inputOf(asked));
  const doubted = isDoubted(output);
  const said = new Map(output.verdicts.map((verdict) => [verdict.sentenceId, verdict]));
  const verdicts = asked.map((sentence): [number, ClaimVerdict] => [
    sentence.place,
    decided(sentence, said.get(`${sentence.place}`), output.controlStood === true),
  ]);
  return {
    verdicts: new Map(verdicts),
    logicalGaps: output.logicalGaps,
    isDoubted: doubted,
    usage,
    warnings: doubted ? [...warnings, NOT_BELIEVED] : warnings,
  };
}

/** Only what it refuses is doubted. */
function isDoubted({ verdicts, controlStood }: AuditOutput): boolean {
  return controlStood !== true && verdicts.some(({ verdict }) => verdict !== 'supported');
}

function inputOf(open: readonly OpenSentence[]): AuditInput {
  const all = open.flatMap(({ evidence }) => evidence);
  const key = ({ sourceId, start, end }: Evidence): string => `${sourceId}@${start}-${end}`;
  const evidence = [...new Map(all.map((one) => [key(one), one])).values()];
  const control = evidence.find(({ quote }) => quote.split(/\s+/).length >= CONTROL_WORDS) ?? evidence[0];
  return {
    sentences: open.map((sentence) => ({
      id: `${sentence.place}`,
      text: sentence.plain,
      sourceIds: [...new Set(sentence.evidence.map(({ sourceId }) => sourceId))],
    })),
    evidence,
    control: {
      id: CONTROL,
      text: control?.quote ?? '',
      sourceIds: control === undefined ? [] : [control.sourceId],
    },
  };
}

const SUPPORTED = 'A critic confirmed the claim with a quote of what it cites.';
const REFUSED = {
  partial: 'A critic found only a part of it in what it cites.',
  contradicted: 'A critic found that what it cites says otherwise.',
  unsupported: 'A critic found that nothing it cites says this.',
};

/** What words tell of a sentence stands where the critic says nothing that can be looked up, or believed. */
function decided(
  { byWords }: OpenSentence,
  said: SentenceVerdict | undefined,
  believed: boolean,
): ClaimVerdict {
  if (said === undefined || (said.evidence === null && said.verdict !== 'unsupported')) return byWords;
  const { verdict, evidence } = said;
  const { probability } = byWords;
  if (verdict === 'supported') return { verdict, code: 'critic', reason: SUPPORTED, evidence, probability };
  if (!believed) {
    const reason =
      'Words alone cannot tell, and the critic that refused it refused a quote word for word as well.';
    return { ...byWords, verdict: 'unchecked', code: 'open', reason };
  }
  const reason = said.reason === '' ? REFUSED[verdict] : said.reason;
  return { verdict, code: 'critic', reason, evidence: evidence ?? byWords.evidence, probability };
}
