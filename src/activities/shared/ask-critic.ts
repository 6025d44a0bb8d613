import type { Evidence } from '../../contracts/report/finding';
import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';
import { AUDITED_AT_ONCE } from '../../core/budget/call-estimates';
import { addUsage, NO_USAGE } from '../../core/budget/usage';
import { stands } from '../../core/settled-text/stands';
import { distinctBy } from '../../core/values/distinct-by';
import { audit } from '../../steps/audit/audit';
import type { AuditInput, AuditOutput } from '../../steps/audit/contract';
import { decidedByCritic, type WeighedSentence } from '../../verification/decided-by-critic';
import type { ActivityPorts, RunFacts } from './ports';
import { runStep, type Spent } from './run-step';

export interface OpenSentence extends WeighedSentence {
  place: number;
  /** Plain, with citation marks where it cites; without it, `plain`. */
  marked?: string;
  evidence: Evidence[];
}

export interface CriticsAnswer extends Spent {
  /** By the sentence's place. */
  verdicts: Map<number, ClaimVerdict>;
}

export async function askCritic(
  ports: ActivityPorts,
  run: RunFacts,
  open: readonly OpenSentence[],
  at: Pick<Parameters<typeof runStep>[4], 'place' | 'signal'> & { sources?: AuditInput['sources'] },
): Promise<CriticsAnswer> {
  const answer: CriticsAnswer = { verdicts: new Map(), usage: NO_USAGE, warnings: [] };
  const batches = Math.ceil(open.length / AUDITED_AT_ONCE);
  const { sources = [], signal } = at;
  for (let batch = 0; batch < batches; batch += 1) {
    const asked = open.slice(batch * AUDITED_AT_ONCE, (batch + 1) * AUDITED_AT_ONCE);
    const place = { ...at.place, ordinal: batch };
    const judged = await judgeBatch(asked, sources, (input) =>
      runStep(ports, run, audit, input, { place, signal }),
    );
    answer.usage = addUsage(answer.usage, judged.usage);
    answer.warnings.push(...judged.warnings);
    for (const [place, verdict] of judged.verdicts) answer.verdicts.set(place, verdict);
  }
  return answer;
}

export async function judgeBatch(
  asked: readonly OpenSentence[],
  sources: AuditInput['sources'],
  ask: (input: AuditInput) => Promise<{ output: AuditOutput } & Spent>,
): Promise<CriticsAnswer> {
  const { output, usage, warnings } = await ask(inputOf(asked, sources));
  const said = new Map(output.verdicts.map((verdict) => [verdict.sentenceId, verdict]));
  const verdicts = asked.map((sentence): [number, ClaimVerdict] => [
    sentence.place,
    decidedByCritic(sentence, said.get(`${sentence.place}`)),
  ]);
  return {
    verdicts: new Map(verdicts),
    usage,
    warnings,
  };
}

function inputOf(open: readonly OpenSentence[], sources: AuditInput['sources']): AuditInput {
  const evidence = distinctBy(
    open.flatMap((sentence) => sentence.evidence),
    ({ sourceId, start, end }) => `${sourceId}@${start}-${end}`,
  );
  const quoted = new Set(evidence.map(({ sourceId }) => sourceId));
  return {
    sentences: open.map(({ place, plain, marked = plain, byWords, ...sentence }) => ({
      id: `${place}`,
      text: marked,
      sourceIds: [...new Set(sentence.evidence.map(({ sourceId }) => sourceId))],
      // That words cannot tell is why the critic is asked, and no hint.
      ...(stands(byWords) || byWords.verdict === 'unchecked' ? {} : { noticed: byWords.reason }),
    })),
    evidence,
    sources: sources.filter(({ sourceId }) => quoted.has(sourceId)),
  };
}
