import { citedIds } from '../../../core/text/citation-marks';
import type { WrittenSentence } from '../../../contracts/report/draft';
import type { Conflict, Evidence, Finding } from '../../../contracts/report/finding';
import { NO_USAGE } from '../../../core/budget/usage';
import { sentenceWording } from '../../../core/settled-text/sentence-wording';
import { settleText, type Confirmation, type WrittenText } from '../../../core/settled-text/settle-text';
import { checkSentences } from '../../../steps/check-sentences/check-sentences';
import type { CheckSentencesInput } from '../../../steps/check-sentences/contract';
import type { CitableSource } from '../../../steps/material/citable-source';
import { clausesOf } from '../../../verification/clauses';
import { judgeSentence } from '../../../verification/judge-sentence';
import type { ActivityPorts, RunBrief } from '../../shared/ports';
import { runStep, type Spent } from '../../shared/run-step';

/** What a text was written from. */
export interface TextMaterial {
  findings: Finding[];
  conflicts: Conflict[];
  sources: CitableSource[];
}

/** A sentence that the critic did not confirm, and why. */
export interface RefusedSentence {
  text: string;
  reason: string;
}

const UNCONFIRMED = 'no quote of what it cites was found to say this';

/**
 * Has the critic say of the sentences that words alone cannot decide whether the quotes that they cite bear them, all in one
 * call, and settles the text: what is not confirmed is told in its finding's own words.
 */
export async function checkText(
  ports: ActivityPorts,
  run: RunBrief,
  text: WrittenText,
  material: TextMaterial,
  at: Pick<Parameters<typeof runStep>[4], 'place' | 'signal'>,
): Promise<{ settled: WrittenText; refused: RefusedSentence[] } & Spent> {
  const open = text.checked.sentences.flatMap((sentence, place) => {
    const evidence = sentence.standing === 'undecided' ? evidenceOf(sentence, material) : [];
    return evidence.length === 0 ? [] : [{ sentence, place, evidence }];
  });
  const asked =
    open.length === 0
      ? { output: { verdicts: [] }, usage: NO_USAGE, warnings: [] }
      : await runStep(ports, run, checkSentences, inputOf(open), at);
  const verdicts = new Map(asked.output.verdicts.map((verdict) => [verdict.sentenceId, verdict]));
  const confirmations = new Map<number, Confirmation>();
  const refused: RefusedSentence[] = [];
  const titles = new Map(material.sources.map((source) => [source.sourceId, source]));
  for (const { sentence, place, evidence } of open) {
    const verdict = verdicts.get(`${place}`);
    const bearing =
      verdict?.borne === true && verdict.evidence !== null
        ? [verdict.evidence, ...sayingPartOf(sentence.plain, evidence, titles)]
        : [];
    const findingIds = [...new Set(bearing.flatMap((one) => findingsWith(one, material)))];
    const sourceIds = [...new Set(bearing.map(({ sourceId }) => sourceId))];
    if (findingIds.length > 0) confirmations.set(place, { findingIds, sourceIds });
    else {
      const reason = verdict?.borne === false && verdict.reason !== '' ? verdict.reason : UNCONFIRMED;
      refused.push({ text: sentence.plain, reason });
    }
  }
  const settled = settleText(text, confirmations, sentenceWording(material.findings, titles));
  return { settled, refused, usage: asked.usage, warnings: asked.warnings };
}

function inputOf(
  open: readonly { sentence: WrittenSentence; place: number; evidence: Evidence[] }[],
): CheckSentencesInput {
  const all = open.flatMap(({ evidence }) => evidence);
  const key = ({ sourceId, start, end }: Evidence): string => `${sourceId}@${start}-${end}`;
  return {
    sentences: open.map(({ sentence, place, evidence }) => ({
      id: `${place}`,
      text: sentence.plain,
      sourceIds: [...new Set(evidence.map(({ sourceId }) => sourceId))],
    })),
    evidence: [...new Map(all.map((evidence) => [key(evidence), evidence])).values()],
  };
}

/** What says one of the statements that a sentence joins in nearly its words: a critic quotes but one of what bears them. */
function sayingPartOf(
  sentence: string,
  evidence: readonly Evidence[],
  sources: ReadonlyMap<string, CitableSource>,
): Evidence[] {
  const clauses = clausesOf(sentence);
  return evidence.filter(({ sourceId, quote }) => {
    const { author = '', publishedAt = '' } = sources.get(sourceId) ?? {};
    const cited = { passages: [quote], attribution: [author, publishedAt.slice(0, 10)], numbersFrom: [] };
    return clauses.some((clause) => judgeSentence(clause, cited).verdict === 'close');
  });
}

/** The quotes of the sources that a claim cites; those of what stands around it for a sentence that cites nothing. */
function evidenceOf({ text, isClaim, findingIds }: WrittenSentence, material: TextMaterial): Evidence[] {
  const all = allEvidence(material);
  if (!isClaim) {
    return all
      .filter(({ findings }) => findings.some((id) => findingIds.includes(id)))
      .map(({ evidence }) => evidence);
  }
  const cited = new Set(citedIds(text));
  return all.filter(({ evidence }) => cited.has(evidence.sourceId)).map(({ evidence }) => evidence);
}

function findingsWith({ sourceId, start, end }: Evidence, material: TextMaterial): string[] {
  const holding = allEvidence(material).filter(
    ({ evidence }) => evidence.sourceId === sourceId && evidence.start <= start && end <= evidence.end,
  );
  return [...new Set(holding.flatMap(({ findings }) => findings))];
}

function allEvidence({ findings, conflicts }: TextMaterial): { evidence: Evidence; findings: string[] }[] {
  const known = new Set(findings.map(({ id }) => id));
  return [
    ...findings.flatMap(({ id, evidence }) => evidence.map((one) => ({ evidence: one, findings: [id] }))),
    ...conflicts.flatMap(({ findingIds, viewpoints }) =>
      viewpoints.flatMap(({ evidence }) =>
        evidence.map((one) => ({ evidence: one, findings: findingIds.filter((id) => known.has(id)) })),
      ),
    ),
  ];
}
