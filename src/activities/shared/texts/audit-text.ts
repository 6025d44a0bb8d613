import type { WrittenSentence } from '../../../contracts/report/draft';
import type { Evidence } from '../../../contracts/report/finding';
import { traitsOf } from '../../../contracts/run/engines';
import type { ClaimVerdict } from '../../../contracts/verification/claim-verdict';
import { NO_USAGE } from '../../../core/budget/usage';
import { quotedVerdict } from '../../../core/settled-text/quoted-verdict';
import type { AuditedSentence, WrittenText } from '../../../core/settled-text/settle-text';
import { citedIds, markedText } from '../../../core/text/citation-marks';
import { absentNumbers, numberedTexts } from '../../../verification/absent-numbers';
import { clausesOf } from '../../../verification/clauses';
import { decidedByCritic, type WeighedSentence } from '../../../verification/decided-by-critic';
import { judgeSentence } from '../../../verification/judge-sentence';
import { comparableText } from '../../../verification/quotes/comparable-text';
import { foreignAddresses } from '../../../verification/foreign-addresses';
import { framedQuotations } from '../../../verification/quotes/framed-quotations';
import { askCritic, type CriticsAnswer, type OpenSentence } from '../ask-critic';
import type { ActivityPorts, RunFacts } from '../ports';
import type { runStep, Spent } from '../run-step';
import { evidenceFor, findingsOn, readMaterial, type TextMaterial } from './text-material';

export interface AuditedText extends Spent {
  /** By the place of the sentence. */
  audited: Map<number, AuditedSentence>;
  logicalGaps: string[];
}

/**
 * A verdict for each claim of a text that a model wrote, and for each sentence that only connects and goes beyond the words of
 * what stands around it: by words where they find it said by all that it cites, then by the critic.
 */
export async function auditText(
  ports: ActivityPorts,
  run: RunFacts,
  { checked: { sentences } }: WrittenText,
  material: TextMaterial,
  at: Pick<Parameters<typeof runStep>[4], 'place' | 'signal'>,
): Promise<AuditedText> {
  const audited = new Map<number, AuditedSentence>();
  const byWordsOf = readMaterial(material);
  const open: OpenSentence[] = [];
  for (const [place, sentence] of sentences.entries()) {
    if (!sentence.isClaim && sentence.standing !== 'undecided') continue;
    const weighed = weighedSentence(place, sentence, { ...material, byWordsOf });
    audited.set(place, bearing(sentence, weighed.byWords, weighed.evidence, material));
    if (!isSaidByAll(weighed) && weighed.evidence.length > 0) open.push(weighed);
  }
  const { sources } = material;
  const { verdicts, ...asked } = traitsOf(run.engine).asksModels
    ? await askCritic(ports, run, open, { ...at, sources })
    : byWordsAlone(open);
  for (const { place, evidence } of open) {
    const [sentence, verdict] = [sentences[place], verdicts.get(place)];
    if (sentence === undefined || verdict === undefined) continue;
    audited.set(place, bearing(sentence, verdict, evidence, material));
  }
  return { ...asked, audited };
}

/** Where there is no critic. What stands word for word keeps all that it cites: that the others say so was found by words before. */
function byWordsAlone(open: readonly OpenSentence[]): CriticsAnswer {
  const verdicts = open
    .filter(({ byWords }) => byWords.code !== 'same-words')
    .map((sentence) => {
      const verdict = decidedByCritic(sentence, undefined);
      return [sentence.place, verdict] as const;
    });
  return { verdicts: new Map(verdicts), logicalGaps: [], usage: NO_USAGE, warnings: [] };
}

function weighedSentence(
  place: number,
  sentence: WrittenSentence,
  { byWordsOf, ...material }: TextMaterial & { byWordsOf: ReturnType<typeof readMaterial> },
): OpenSentence {
  const { plain, text, standing } = sentence;
  const evidence = evidenceFor(sentence, material);
  const quoting = quotedByIt(plain, evidence, material);
  const quoted = standing === 'own-words' ? quotedVerdict(text, evidence) : quotingVerdict(quoting);
  const byWords = quoted ?? byWordsOf(plain, evidence);
  const sourceIds = [...new Set(citedIds(text))];
  const said = byWords.evidence === null || byWords.verdict !== 'supported' ? [] : [byWords.evidence];
  const heldBy = [...said, ...quoting, ...sayingPartOf(plain, evidence, material)].map(
    ({ sourceId }) => sourceId,
  );
  const known = material.sources.filter(({ sourceId }) => sourceIds.includes(sourceId));
  const texts = [
    ...evidence.map(({ quote }) => quote),
    ...known.flatMap(({ title, author = '', publishedAt = '' }) => [title, author, publishedAt]),
  ];
  const hasForeignNumber = absentNumbers(plain, numberedTexts(texts)).length > 0;
  return { place, plain, marked: markedText(text), evidence, byWords, sourceIds, heldBy, hasForeignNumber };
}

/** The places that a sentence quotes which only frames quotations; none where it says more, or one of them stands nowhere. */
function quotedByIt(plain: string, evidence: readonly Evidence[], { sources }: TextMaterial): Evidence[] {
  const places = framedQuotations(
    plain,
    evidence.map(({ sourceId, quote }) => {
      const {
        title = '',
        author = '',
        site = '',
        publishedAt = '',
      } = sources.find((source) => source.sourceId === sourceId) ?? {};
      const attribution = [author, publishedAt, title, site].filter((words) => words !== '');
      return { id: sourceId, content: quote, attribution, comparable: comparableText(quote) };
    }),
  );
  return (places ?? []).flatMap(
    (place) =>
      evidence.find(({ sourceId, quote }) => sourceId === place.sourceId && quote.includes(place.quote)) ??
      [],
  );
}

function quotingVerdict([evidence]: readonly Evidence[]): ClaimVerdict | null {
  if (evidence === undefined) return null;
  const reason = 'It quotes what it cites word for word.';
  return { verdict: 'supported', code: 'same-words', reason, evidence, probability: null };
}

/** What a sentence rests on once its verdict is known: the findings of what bears it, and the sources that stay cited. */
function bearing(
  { plain, text, findingIds }: WrittenSentence,
  verdict: ClaimVerdict,
  evidence: readonly Evidence[],
  material: TextMaterial,
): AuditedSentence {
  const { evidence: shown, quotes = [], notBorneBy = [] } = verdict;
  const places = [...(shown === null ? [] : [shown]), ...quotes, ...sayingPartOf(plain, evidence, material)];
  const found = [...new Set(places.flatMap((one) => findingsOn(one, material)))];
  return {
    verdict: withoutForeign(plain, verdict, [
      ...places.map(({ quote }) => quote),
      ...material.sources
        .filter(({ sourceId }) => citedIds(text).includes(sourceId))
        .flatMap(({ title, author = '', site = '' }) => [title, author, site]),
    ]),
    findingIds: found.length === 0 ? findingIds : found,
    sourceIds: [...new Set(citedIds(text))].filter((id) => !notBorneBy.includes(id)),
  };
}

/** Whoever agrees with a sentence: it brings in no address, nor what looks like one, that its quotes do not have. */
function withoutForeign(plain: string, verdict: ClaimVerdict, quotes: readonly string[]): ClaimVerdict {
  if (verdict.verdict !== 'supported' && verdict.verdict !== 'inference') return verdict;
  const [address] = foreignAddresses(plain, quotes);
  if (address === undefined) return verdict;
  const reason = `“${address}” stands in none of its quotes.`;
  return { ...verdict, verdict: 'unsupported', code: 'name-absent', reason };
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

/** Whether words find that a sentence is said, and by all that it cites, so that no critic is asked. Words alone convict nothing. */
function isSaidByAll({ byWords, sourceIds = [], heldBy = [] }: WeighedSentence): boolean {
  return byWords.verdict === 'supported' && sourceIds.every((id) => heldBy.includes(id));
}
