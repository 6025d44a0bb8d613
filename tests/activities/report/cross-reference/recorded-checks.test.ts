import { z } from 'zod';
import type { Evidence } from '../../../../src/contracts/report/finding';
import type { ThreadPool } from '../../../../src/threads/pool';
import { closeEngines, engineAgainst } from '../../../engines/model/engine-under-test';
import { findingsIn, materialIn } from '../../../model-server/prompt-material';
import { describeWithData, sharedRecords } from '../../../support/shared-data';
import { createTestThreads } from '../../../support/test-threads';
import { portsOver } from '../../answer/corpus-under-test';
import { type AskedOfCritic, type CriticsAnswer, namingModel } from './named-model';
import { crossReferenced, findingOf, quoted, type Texts } from './pass-under-test';

const CALLS = 'strong-model/calls.jsonl';
const RecordedCall = z.object({
  step: z.string(),
  messages: z.array(z.object({ content: z.string() })),
  response: z.string(),
});
const Named = z.array(z.object({ quote: z.string() }));
const Answer = z.object({
  checks: z.array(z.object({ finding: z.string(), supporting: Named, contradicting: Named })),
  conflicts: z.array(
    z.looseObject({
      findings: z.array(z.string()),
      viewpoints: z.array(z.object({ evidence: Named })),
      reason: z.string(),
    }),
  ),
});

let threads: ThreadPool;
beforeAll(async () => (threads = await createTestThreads({ threads: 1 })));
afterAll(() => threads.close());
afterEach(closeEngines);

describeWithData([CALLS], 'the recorded check of a strong model', () => {
  it('keeps both conflicts with their reasons and every source of a finding that says it, and adds no conflict', async () => {
    const call = sharedRecords(CALLS, RecordedCall).find(({ step }) => step === 'cross-check');
    const material = materialIn(call?.messages[1]?.content ?? '');
    const recorded = findingsIn(material.get('findings') ?? '');
    const answer = Answer.parse(JSON.parse(call?.response ?? ''));
    const texts = textsIn(material, recorded);
    const evidenceOf = ({ source, quote }: { source: string; quote: string }): Evidence =>
      quoted(texts, source.toLowerCase(), quote);
    const findings = recorded.map(({ id, claim, evidence }) => ({
      ...findingOf(id.toLowerCase(), claim.startsWith('(in the words') ? (evidence[0]?.quote ?? '') : claim, [
        ...evidence.map(evidenceOf),
      ]),
      confidence: 0.69,
    }));
    const { engine, stores, server } = await engineAgainst(
      namingModel((told) => asAsked(answer, recorded, told), rightly),
    );
    const ports = { ...portsOver(stores, threads), engines: { openai: engine, extractive: engine } };
    const question =
      'How do plasmonic hybrids enhance the sensitivity of cavity sensors for single molecules?';
    const { conflicts, sections } = await crossReferenced(ports, texts, findings, { question });
    expect(conflicts.map(({ reason, isInferred }) => [reason, isInferred])).toEqual(
      answer.conflicts.map(({ reason }) => [reason, true]),
    );
    expect(conflicts.map(({ viewpoints }) => viewpoints.map(({ citations }) => citations.length))).toEqual(
      answer.conflicts.map(({ viewpoints }) => viewpoints.map(({ evidence }) => evidence.length)),
    );
    expect(sections[0]?.findings.find(({ id }) => id === 'f1')?.citations).toHaveLength(5);
    // One call checks and one confirms.
    expect(server.asked).toHaveLength(2);
  });
});

/** As it was read by hand: who says that the cavity keeps its Q, or that the field drops, stands against the others. */
function rightly({ text, quotes: [first] }: AskedOfCritic): CriticsAnswer {
  if (first === undefined) return { verdict: 'unsupported' };
  if (first.quote === text) return { verdict: 'supported', ...first };
  if (/^The sources disagree|whereas/.test(text)) return { verdict: 'partial', ...first };
  const keeps = (said: string): boolean => /maintained/.test(said);
  const drops = (said: string): boolean => /drop of the field/.test(said);
  const isAgainst = keeps(text) !== keeps(first.quote) || drops(text) !== drops(first.quote);
  const isOnIt = /\bQ\b|870|on top of 280|drop of the field/.test(text);
  return { verdict: isAgainst && isOnIt ? 'contradicted' : 'supported', ...first };
}

type RecordedFindings = ReturnType<typeof findingsIn>;

/** The sources that the prompt has, with what findings quote of others. */
function textsIn(material: ReadonlyMap<string, string>, recorded: RecordedFindings): Texts {
  const texts: Record<string, { title: string; content: string }> = {};
  for (const [name, text] of material) {
    const [described = '', ...rest] = text.split('\n');
    if (/^S\d+$/.test(name))
      texts[name.toLowerCase()] = {
        title: /^“(.*?)”/.exec(described)?.[1] ?? name,
        content: rest.join('\n'),
      };
  }
  for (const { source, quote } of recorded.flatMap(({ evidence }) => evidence)) {
    const held = (texts[source.toLowerCase()] ??= { title: source, content: '' });
    if (!held.content.includes(quote)) held.content += `\n\n${quote}`;
  }
  return texts;
}

/** What was answered, with the findings by the names that they have in this prompt. */
function asAsked(
  { checks, conflicts }: z.infer<typeof Answer>,
  recorded: RecordedFindings,
  told: string,
): { checks: unknown[]; conflicts: unknown[] } {
  const now = findingsIn(told);
  const nameOf = (name: string): string => {
    const at = recorded.findIndex(({ id }) => id === name);
    return now[at]?.id ?? '';
  };
  const quotes = (named: z.infer<typeof Named>): string[] => named.map(({ quote }) => quote);
  return {
    checks: checks.map(({ finding, supporting, contradicting }) => ({
      finding: nameOf(finding),
      supporting: quotes(supporting),
      contradicting: quotes(contradicting),
    })),
    conflicts: conflicts.map(({ findings, viewpoints, ...conflict }) => ({
      ...conflict,
      findings: findings.map(nameOf),
      viewpoints: viewpoints.map(({ evidence }) => ({ evidence: quotes(evidence) })),
    })),
  };
}
