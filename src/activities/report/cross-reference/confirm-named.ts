import { traitsOf } from '../../../contracts/run/engines';
import type { Evidence } from '../../../contracts/report/finding';
import type { ClaimVerdict } from '../../../contracts/verification/claim-verdict';
import { AUDITED_AT_ONCE } from '../../../core/budget/call-estimates';
import { addUsage, NO_USAGE } from '../../../core/budget/usage';
import { citationMark } from '../../../core/text/citation-marks';
import { parted } from '../../../core/values/parted';
import {
  besideKey,
  type Bearing,
  type ClaimBesideQuote,
  type Confirmed,
} from '../../../reading/reconcile/bearing';
import { placeOf } from '../../../reading/reconcile/quoted-statement';
import type { NamedBeside } from '../../../threads/named-beside';
import { askCritic, type OpenSentence } from '../../shared/ask-critic';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import type { Spent } from '../../shared/run-step';

interface ConfirmedNamed extends Spent {
  confirmed: { confirmed?: Confirmed };
}

/** Where nothing is confirmed, because no model named anything. */
export const NOTHING_ASKED: ConfirmedNamed = { confirmed: {}, usage: NO_USAGE, warnings: [] };

/** Words cannot tell, and nobody else said anything. */
const OPEN: ClaimVerdict = {
  verdict: 'unchecked',
  code: 'open',
  reason: 'Words alone cannot tell whether the quote says it.',
  evidence: null,
  probability: null,
};

/**
 * What the quotes are to the claims beside which they were named: by words, then by the critic where words do not find that they say
 * the same. All of a report is asked at once, and nothing where nothing is open.
 */
export async function confirmNamed(
  ports: ActivityPorts,
  run: ReportFacts,
  { named, byWords }: NamedBeside,
  signal: AbortSignal,
): Promise<ConfirmedNamed> {
  const spent: Spent = { usage: NO_USAGE, warnings: [] };
  if (!traitsOf(run.engine).asksModels)
    return { confirmed: { confirmed: { bearings: byWords, byCritic: false } }, ...spent };
  const bearings = new Map([...byWords].filter(([, bearing]) => bearing === 'says'));
  const open = named.filter((one) => !bearings.has(besideKey(one)));
  const answers = await Promise.all(
    parted(open, AUDITED_AT_ONCE).map(async (part, at) => {
      const quotes = quotesApart(part);
      const sentences = part.map((one, place) => sentenceOf(one, quotes[place] ?? one.evidence, place));
      const place = { pass: 3, section: `named-${at + 1}` };
      return { part, sentences, ...(await askCritic(ports, run, sentences, { place, signal })) };
    }),
  );
  for (const { part, sentences, verdicts, usage, warnings } of answers) {
    for (const [at, one] of part.entries()) {
      const sentence = sentences[at];
      const bearing = sentence === undefined ? undefined : bearingOf(sentence, verdicts.get(at));
      if (bearing !== undefined) bearings.set(besideKey(one), bearing);
    }
    spent.usage = addUsage(spent.usage, usage);
    spent.warnings.push(...warnings);
  }
  return { confirmed: { confirmed: { bearings, byCritic: true } }, ...spent };
}

/** Each quote under a name of its own: a critic is asked about this one, and not about what else its source says. */
function quotesApart(asked: readonly ClaimBesideQuote[]): Evidence[] {
  const names = new Map<string, string>();
  return asked.map(({ evidence }) => {
    const place = placeOf(evidence);
    const name = names.get(place) ?? `quote-${names.size + 1}`;
    names.set(place, name);
    return { ...evidence, sourceId: name };
  });
}

function sentenceOf({ claim: plain }: ClaimBesideQuote, evidence: Evidence, place: number): OpenSentence {
  const marked = `${plain} ${citationMark([evidence.sourceId])}`;
  return { place, plain, marked, evidence: [evidence], byWords: OPEN };
}

/** What a critic says of the quote; nothing where it says nothing that can be looked up. */
function bearingOf({ evidence }: OpenSentence, said: ClaimVerdict | undefined): Bearing | undefined {
  if (said?.code !== 'critic') return undefined;
  const { evidence: shown, verdict } = said;
  if (verdict === 'unsupported') return 'says-nothing';
  if (shown === null || shown.sourceId !== evidence[0]?.sourceId) return undefined;
  if (verdict === 'supported') return 'says';
  // What only follows from a quote takes more than the quote says.
  return verdict === 'contradicted' ? 'says-otherwise' : 'says-a-part';
}
