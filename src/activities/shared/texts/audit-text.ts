import { citedIds } from '../../../core/text/citation-marks';
import type { WrittenSentence } from '../../../contracts/report/draft';
import type { Evidence } from '../../../contracts/report/finding';
import type { ClaimVerdict } from '../../../contracts/verification/claim-verdict';
import { quotedVerdict } from '../../../core/settled-text/quoted-verdict';
import type { AuditedSentence, WrittenText } from '../../../core/settled-text/settle-text';
import { clausesOf } from '../../../verification/clauses';
import { judgeSentence } from '../../../verification/judge-sentence';
import { verifyClaim } from '../../../verification/verify-claim';
import type { ActivityPorts, StepBrief } from '../ports';
import type { runStep, Spent } from '../run-step';
import { askCritic, type OpenSentence } from '../ask-critic';
import { isDecidedByWords } from '../decided-by-words';
import { decidedBefore, type DecidedClaim } from './decided-claims';
import { claimMaterial, evidenceFor, findingsOn, type TextMaterial } from './text-material';

export interface AuditedText extends Spent {
  /** By the place of the sentence. */
  audited: Map<number, AuditedSentence>;
  logicalGaps: string[];
}

/**
 * A verdict for each claim of a text that a model wrote, and for each sentence that only connects and goes beyond the words of
 * what stands around it: by words, then by what was decided of the same words before, then by the critic.
 */
export async function auditText(
  ports: ActivityPorts,
  run: StepBrief,
  { checked: { sentences } }: WrittenText,
  material: TextMaterial & { decided?: readonly DecidedClaim[] },
  at: Pick<Parameters<typeof runStep>[4], 'place' | 'signal'>,
): Promise<AuditedText> {
  const audited = new Map<number, AuditedSentence>();
  const open: OpenSentence[] = [];
  for (const [place, sentence] of sentences.entries()) {
    if (!sentence.isClaim && sentence.standing !== 'undecided') continue;
    const evidence = evidenceFor(sentence, material);
    const byWords = wordsVerdict(sentence, evidence, material);
    const before = isDecidedByWords(byWords) ? null : decidedBefore(sentence, material.decided ?? []);
    if (before !== null) {
      audited.set(place, before);
      continue;
    }
    audited.set(place, { verdict: byWords, ...bearing(sentence, byWords, evidence, material) });
    if (!isDecidedByWords(byWords) && evidence.length > 0)
      open.push({ place, plain: sentence.plain, evidence, byWords });
  }
  const { verdicts, logicalGaps, usage, warnings } = await askCritic(ports, run, open, at);
  for (const { place, evidence } of open) {
    const [sentence, verdict] = [sentences[place], verdicts.get(place)];
    if (sentence === undefined || verdict === undefined) continue;
    audited.set(place, { verdict, ...bearing(sentence, verdict, evidence, material) });
  }
  return { audited, logicalGaps, usage, warnings };
}

function wordsVerdict(
  { plain, text, standing }: WrittenSentence,
  evidence: readonly Evidence[],
  material: TextMaterial,
): ClaimVerdict {
  const quoted = standing === 'own-words' ? quotedVerdict(text, evidence) : null;
  return quoted ?? verifyClaim(plain, claimMaterial(evidence, material));
}

/** What bears a supported sentence: where its verdict looked, and what says one of the statements that it joins. */
function bearing(
  { plain, text, findingIds }: WrittenSentence,
  { evidence: shown }: ClaimVerdict,
  evidence: readonly Evidence[],
  material: TextMaterial,
): Omit<AuditedSentence, 'verdict'> {
  const all = [...(shown === null ? [] : [shown]), ...sayingPartOf(plain, evidence, material)];
  const found = [...new Set(all.flatMap((one) => findingsOn(one, material)))];
  if (found.length === 0) return { findingIds, sourceIds: [...new Set(citedIds(text))] };
  return { findingIds: found, sourceIds: [...new Set(all.map(({ sourceId }) => sourceId))] };
}

/** What says one of the statements that a sentence joins in nearly its words: a verdict shows but one of what bears them. */
function sayingPartOf(
  sentence: string,
  evidence: readonly Evidence[],
  { sources }: TextMaterial,
): Evidence[] {
  const clauses = clausesOf(sentence);
  return evidence.filter(({ sourceId, quote }) => {
    const { author = '', publishedAt = '' } = sources.find((source) => source.sourceId === sourceId) ?? {};
    const cited = { passages: [quote], attribution: [author, publishedAt.slice(0, 10)], numbersFrom: [] };
    return clauses.some((clause) => judgeSentence(clause, cited).verdict === 'close');
  });
}
