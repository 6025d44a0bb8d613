import { traitsOf } from '../../../contracts/run/engines';
import type { Evidence } from '../../../contracts/report/finding';
import type { ClaimVerdict } from '../../../contracts/verification/claim-verdict';
import { AUDITED_AT_ONCE } from '../../../core/budget/call-estimates';
import { addUsage, NO_USAGE } from '../../../core/budget/usage';
import { eventKey } from '../../../core/run/event-key';
import { citationMark } from '../../../core/text/citation-marks';
import { distinctBy } from '../../../core/values/distinct-by';
import { parted } from '../../../core/values/parted';
import { terms } from '../../../language/words';
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

const NOT_BELIEVED = {
  code: 'critic-not-believed',
  message:
    'A critic found a claim in a quote that has nothing to do with it; what it says of agreement counts for nothing, and words alone decide.',
};

/** What reconciling is given besides. */
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
  { named, byWords, worded }: NamedBeside,
  signal: AbortSignal,
): Promise<ConfirmedNamed> {
  const spent: Spent = { usage: NO_USAGE, warnings: [] };
  if (!traitsOf(run.engine).asksModels)
    return { confirmed: { confirmed: { bearings: byWords, byCritic: false } }, ...spent };
  const bearings = new Map([...byWords].filter(([, bearing]) => bearing === 'says'));
  const open = named.filter((one) => !bearings.has(besideKey(one)));
  const parts = parted(open, AUDITED_AT_ONCE - 1);
  // A critic that finds in it what it is asked for finds everything everywhere.
  const unrelated = parts.length === 0 ? null : unrelatedPair([...named, ...worded], run.question);
  const answers = await Promise.all(
    parts.map((part, at) => askedOfCritic(ports, run, part, { byWords, unrelated, at, signal })),
  );
  for (const { said, usage, warnings } of answers) {
    for (const [key, bearing] of said) bearings.set(key, bearing);
    spent.usage = addUsage(spent.usage, usage);
    spent.warnings.push(...warnings);
  }
  return { confirmed: { confirmed: { bearings, byCritic: true } }, ...spent };
}

async function askedOfCritic(
  ports: ActivityPorts,
  run: ReportFacts,
  part: readonly ClaimBesideQuote[],
  given: Pick<NamedBeside, 'byWords'> & {
    unrelated: ClaimBesideQuote | null;
    at: number;
    signal: AbortSignal;
  },
): Promise<{ said: Map<string, Bearing> } & Spent> {
  const { byWords, unrelated, at, signal } = given;
  const quotes = quotesApart(unrelated === null ? part : [...part, unrelated]);
  const sentences = quotes.map((evidence, place) => sentenceOf(part[place] ?? unrelated, evidence, place));
  const place = { pass: 3, section: `named-${at + 1}` };
  const { verdicts, usage, warnings } = await askCritic(ports, run, sentences, { place, signal });
  const bearings = sentences.map((sentence) => bearingOf(sentence, verdicts.get(sentence.place)));
  const onUnrelated = bearings[part.length];
  const isBlind = onUnrelated === 'says' || onUnrelated === 'says-otherwise';
  if (isBlind) {
    const key = eventKey({ ...place, step: 'cross-check', type: 'warning', ordinal: 'unrelated' });
    await ports.events.appendOnce(run.runId, key, { type: 'warning', payload: NOT_BELIEVED });
  }
  const said = part.flatMap((one, index): [string, Bearing][] => {
    const bearing = isBlind ? byWords.get(besideKey(one)) : bearings[index];
    return bearing === undefined ? [] : [[besideKey(one), bearing]];
  });
  return { said: new Map(said), usage, warnings: isBlind ? [...warnings, NOT_BELIEVED] : warnings };
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

function sentenceOf(one: ClaimBesideQuote | null, evidence: Evidence, place: number): OpenSentence {
  const plain = one?.claim ?? '';
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

/** Fewer words of its own may be said in other words by accident. */
const LEAST_OWN = 3;

/**
 * One of the claims beside a quote that was named for another one and has nothing of it but words of the question: surely neither
 * the same nor the contrary. Of all such pairs the one that has most to say on both sides; null where there is none.
 */
function unrelatedPair(pairs: readonly ClaimBesideQuote[], question: string): ClaimBesideQuote | null {
  const asked = new Set(terms(question));
  const ownWords = (text: string): Set<string> => new Set(terms(text).filter((term) => !asked.has(term)));
  const named = new Set(pairs.map(besideKey));
  const others = pairs.map((one) => ({ one, words: ownWords(one.evidence.quote) }));
  let best: { pair: ClaimBesideQuote; words: number } | null = null;
  for (const claim of distinctBy(pairs, ({ claim: text }) => text)) {
    const own = ownWords(claim.claim);
    for (const { one, words } of others) {
      const pair = { ...claim, evidence: one.evidence };
      const telling = Math.min(own.size, words.size);
      const isApart = one.evidence.sourceId !== claim.claimedBy && one.claim !== claim.claim;
      if (!isApart || telling < LEAST_OWN || telling <= (best?.words ?? 0) || named.has(besideKey(pair)))
        continue;
      if ([...own].every((word) => !words.has(word))) best = { pair, words: telling };
    }
  }
  return best?.pair ?? null;
}
