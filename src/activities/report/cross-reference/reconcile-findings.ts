import { traitsOf } from '../../../contracts/run/engines';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { SectionFindings, type ValidatedFindings, type Evidence } from '../../../contracts/report/finding';
import { Outline } from '../../../contracts/report/outline';
import type { CataloguedSource } from '../../../contracts/source/source';
import type { SourceFacts } from '../../../core/evidence/distinct-evidence';
import { readIfAny, readShared, storeArtifact, readArtifact } from '../../shared/artifacts';
import { terms } from '../../../language/words';
import { type Catalogue, openCatalogue } from '../gather/catalogue';
import { placedSection } from '../overview/outline-section';
import { readQuestion } from '../../../reading/question/question';
import type { SilentSources } from '../../../reading/reconcile/find-gaps';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import type { Spent } from '../../shared/run-step';
import { checkedSources, SectionChecks, sourcesOf, tellConflicts } from './check-findings';
import { unvalidated } from '../../../core/evidence/unvalidated';
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

/** Where nothing is confirmed, because no model named anything. */
const NOTHING_ASKED: ConfirmedNamed = { confirmed: {}, usage: NO_USAGE, warnings: [] };

/** Words cannot tell, and nobody else said anything. */
const OPEN: ClaimVerdict = {
  verdict: 'unchecked',
  code: 'open',
  reason: 'Words alone cannot tell whether the quote says it.',
  evidence: null,
  probability: null,
};

export interface ReconcileFindingsInput {
  run: ReportFacts;
  catalogueRef: ArtifactRef;
  outlineRef: ArtifactRef;
  /** In outline order. */
  sections: { findingsRef: ArtifactRef; checksRef: ArtifactRef | null; unvalidated: boolean }[];
  supportRef: ArtifactRef | null;
  /** True where a model named what agrees and what contradicts: only what is confirmed of it counts. */
  confirms?: true;
}

export interface ReconciledFindings extends Spent {
  validatedRef: ArtifactRef;
  findings: number;
  conflicts: number;
  gaps: number;
}

/** The end of pass 3, one for all sections: each finding with its final confidence, said once; conflicts and gaps. */
export async function reconcileFindings(
  ports: ActivityPorts,
  { run, catalogueRef, outlineRef, sections, supportRef, confirms }: ReconcileFindingsInput,
  signal: AbortSignal,
): Promise<ReconciledFindings> {
  const outline = await readShared(ports.content, outlineRef, Outline);
  const catalogue = await openCatalogue(ports.content, catalogueRef);
  const support = await readIfAny(ports.content, supportRef, SectionChecks);
  const left = await Promise.all(
    sections.map(async ({ findingsRef, checksRef, unvalidated }) => ({
      found: await readShared(ports.content, findingsRef, SectionFindings),
      checks: await readIfAny(ports.content, checksRef, SectionChecks),
      unvalidated,
    })),
  );
  const named = new Set([
    ...left.flatMap(({ found, checks }) => [...sourcesOf(found.findings), ...checkedSources(checks)]),
    ...checkedSources(support),
  ]);
  const sectionsById = new Map(
    outline.sections.map((section) => [section.id, placedSection(section, named)]),
  );
  const checked = left.map(({ found, checks, unvalidated }) => {
    const section = sectionsById.get(found.sectionId);
    if (section === undefined) throw new Error(`The outline has no section ${found.sectionId}.`);
    return { section, found, unvalidated, checks };
  });
  const sources = await catalogue.named(named);
  const given = {
    question: run.question,
    detectConflicts: run.synthesis.enableConflictDetection,
    // Also where the engine that only quotes ends what a model began.
    sectionsStand: confirms === true || traitsOf(run.engine).asksModels,
    sections: checked,
    support,
    sources: new Map([...sources].map(([id, source]) => [id, factsOf(source)])),
    ...(traitsOf(run.engine).asksModels ? {} : { silent: await silentSources(catalogue, run.question) }),
  };
  const { confirmed, usage, warnings } =
    confirms === undefined
      ? NOTHING_ASKED
      : await confirmNamed(ports, run, await ports.threads.run('named-in-findings', given, signal), signal);
  const reconciled = await ports.threads.run('reconcile', { ...given, ...confirmed }, signal);
  const read = [...checked.map(({ checks }) => checks), support];
  const validated: ValidatedFindings = {
    ...reconciled,
    readInFull: [...new Set(read.flatMap((checks) => checks?.readInFull ?? []))],
  };
  const validatedRef = await storeArtifact(ports.content, run.runId, validated);
  await tellConflicts(ports.events, run.runId, validated.conflicts);
  return {
    validatedRef,
    findings: validated.sections.reduce((sum, section) => sum + section.findings.length, 0),
    conflicts: validated.conflicts.length,
    gaps: validated.gaps.length,
    usage,
    warnings,
  };
}

/** The sources in which none of the question's words stands, in their titles, their headings or their texts. */
async function silentSources(catalogue: Catalogue, question: string): Promise<SilentSources> {
  const { words, asking } = readQuestion(question);
  const about = words.filter((word) => !asking.has(word));
  const titles: string[] = [];
  for await (const part of about.length === 0 ? [] : catalogue.parts())
    for (const { title, held } of part) {
      const said = new Set([...held, ...terms(title)]);
      if (!about.some((word) => said.has(word))) titles.push(title);
    }
  return { titles, of: catalogue.ids.length };
}

function factsOf({ title, quality, publishedAt, nearDuplicateOf, work }: CataloguedSource): SourceFacts {
  return { title, quality, publishedAt, nearDuplicateOf, work };
}

export interface FindingsUncheckedInput {
  run: ReportFacts;
  /** In outline order. */
  findingsRefs: ArtifactRef[];
}

/** Where there is no pass 3: the findings as pass 2 left them, each marked as not validated. Asks no engine. */
export async function findingsUnchecked(
  ports: ActivityPorts,
  { run, findingsRefs }: FindingsUncheckedInput,
): Promise<{ validatedRef: ArtifactRef }> {
  const found = await Promise.all(
    findingsRefs.map((ref) => readArtifact(ports.content, ref, SectionFindings)),
  );
  const kept: ValidatedFindings = {
    sections: found.map(unvalidated),
    conflicts: [],
    gaps: [],
    readInFull: [],
  };
  return { validatedRef: await storeArtifact(ports.content, run.runId, kept) };
}

interface ConfirmedNamed extends Spent {
  confirmed: { confirmed?: Confirmed };
}

/**
 * What the quotes are to the claims beside which they were named: by words, then by the critic where words do not find that they say
 * the same. All of a report is asked at once, and nothing where nothing is open.
 */
async function confirmNamed(
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
