import type { ActivityPorts } from '../../src/activities/shared/ports';
import { auditDraft } from '../../src/activities/shared/texts/audit-draft';
import type { SectionDraft } from '../../src/contracts/report/draft';
import { sentenceWording } from '../../src/core/settled-text/sentence-wording';
import { draftOf } from '../../src/core/settled-text/settle-text';
import { citationMark, citedIds } from '../../src/core/text/citation-marks';
import type { ThreadPool } from '../../src/threads/pool';
import { closeEngines, engineAgainst } from '../engines/model/engine-under-test';
import { type AskedSentence, createCritic, type Judged, type ShownQuotes } from '../model-server/critic';
import { findingOf, GENERAL, quoted } from '../support/findings';
import { createTestThreads } from '../support/test-threads';
import written from '../system/written-sentences/sentences.json';
import { portsOver, signal, STEP_BRIEF } from './corpus-under-test';
import made from './inferences.json';
import pairs from './named-pairs.json';

describe('cited sentences', () => {
  const RUN = { ...STEP_BRIEF, runId: 'cited', question: 'What do trials find?' };

  const BATCH = 20;

  let threads: ThreadPool;

  beforeAll(async () => (threads = await createTestThreads({ threads: 1 })));

  afterAll(() => threads.close());

  afterEach(closeEngines);

  type Critic = (sentence: AskedSentence, quotes: ShownQuotes) => Judged | null;

  /** A statement, and the sources that say it, with the words in which they do. */
  interface Statement {
    text: string;
    borne: { source: string; quote: string }[];
  }

  interface Cited {
    text: string;
    marked: string;
    borne: Statement['borne'];
    foreign: string | null;
  }

  const quoteOf = new Map(
    Object.entries(written.quotes).map(([key, { note, quote }]) => [key, { source: note, quote }]),
  );

  const agreeing: Statement[] = pairs
    .filter(({ relation }) => relation === 'same')
    .map(({ claim, source, words, other, quote }) => ({
      text: claim.replace(/\.$/, ''),
      borne: [
        { source, quote: words },
        { source: other, quote },
      ],
    }));

  const single: Statement[] = written.paraphrases.map(({ quotes, text }) => ({
    text,
    borne: quotes.flatMap((key) => quoteOf.get(key) ?? []),
  }));

  /** Forty statements of two sources each, and twenty sentences that join two to four statements, each cited at its clause. */
  function joined(): Cited[] {
    const whole = agreeing.map(({ text, borne }) => ({
      text,
      marked: `${text} ${citationMark(borne.map(({ source }) => source))}.`,
      borne,
      foreign: null,
    }));
    const clauses = Array.from({ length: 20 }, (_, at): Cited => {
      // Strides that share no divisor with the list, so that statements of different sources come together.
      const parts = Array.from(
        { length: 2 + (at % 3) },
        (_part, place) => single[(at * 7 + place * 13) % single.length],
      ).filter((one) => one !== undefined);
      const borne = parts.flatMap((one) => one.borne);
      const connect = (texts: readonly string[]): string => texts.join('; ');
      return {
        text: connect(parts.map(({ text }) => text)),
        marked: `${connect(parts.map((one) => `${one.text} ${citationMark(one.borne.map(({ source }) => source))}`))}.`,
        borne,
        foreign: null,
      };
    });
    return [...whole, ...clauses];
  }

  /** The same with one source more at the end, which says nothing of it. */
  function planted(): Cited[] {
    const sources = [
      ...new Set([...agreeing, ...single].flatMap(({ borne }) => borne.map(({ source }) => source))),
    ];
    return joined().map((one, at) => {
      const others = sources.filter((source) => !sayersOf(one).includes(source));
      const foreign = others[(at * 5) % others.length] ?? '';
      const marked = one.marked.replace(/\]\.$/, `; @${foreign}].`);
      return { ...one, marked, foreign };
    });
  }

  /** All that say what a sentence says, whether it cites them or not. */
  function sayersOf({ borne }: Cited): string[] {
    const own = new Set(borne.map(({ quote }) => quote));
    return [...agreeing, ...single]
      .filter((statement) => statement.borne.some(({ quote }) => own.has(quote)))
      .flatMap((statement) => statement.borne.map(({ source }) => source));
  }

  const everyQuote = [
    ...new Map(
      [...quoteOf.values(), ...agreeing.flatMap(({ borne }) => borne)].map((one) => [
        `${one.source} ${one.quote}`,
        one,
      ]),
    ).values(),
  ];

  const FINDINGS = everyQuote.map(({ source, quote }, at) =>
    findingOf(`finding-${at + 1}`, quote, source, { evidence: [quoted(source, quote, 10_000 * at)] }),
  );

  const SOURCES = [...new Set(everyQuote.map(({ source }) => source))].map((sourceId) => ({
    sourceId,
    title: sourceId,
    quality: GENERAL,
  }));

  /** The sentences as they stand once they were audited, by their words; those that were set aside are lacking. */
  async function audited(
    sentences: readonly Pick<Cited, 'text' | 'marked'>[],
    judge: Critic,
  ): Promise<Map<string, NonNullable<SectionDraft['checked']>['sentences'][number]>> {
    const critic = createCritic(judge);
    const { engine, stores } = await engineAgainst((request) => critic.answer(request));
    const ports: ActivityPorts = { ...portsOver(stores, threads), engines: { openai: engine } };
    const standing = new Map<string, NonNullable<SectionDraft['checked']>['sentences'][number]>();
    for (let from = 0; from < sentences.length; from += BATCH) {
      const part = sentences.slice(from, from + BATCH);
      const draft = draftOf({
        markdown: part.map(({ marked }) => marked).join('\n\n'),
        checked: {
          sentences: part.map(({ text, marked }) => {
            const cited = citedIds(marked);
            const resting = FINDINGS.filter(({ citations }) => citations.some((id) => cited.includes(id)));
            return {
              text: marked,
              plain: `${text}.`,
              findingIds: resting.map(({ id }) => id),
              isClaim: true,
              standing: 'undecided',
            };
          }),
        },
      });
      const { settled } = await auditDraft(ports, RUN, draft, {
        material: { findings: FINDINGS, conflicts: [], sources: SOURCES },
        wording: sentenceWording(FINDINGS, new Map(SOURCES.map((source) => [source.sourceId, source]))),
        unsupportedClaims: 'remove',
        at: { place: { pass: 4, section: `section-${from}` }, signal },
      });
      for (const sentence of settled.checked?.sentences ?? [])
        standing.set(sentence.plain.replace(/\.$/, ''), sentence);
    }
    return standing;
  }

  /** Right about the sentences: a quote of each source that bears it, and the names of those that do not. */
  function rightAbout(sentences: readonly Cited[]): Critic {
    const byText = new Map(sentences.map((one) => [one.text, one]));
    return ({ text, sources }, quotes) => {
      const known = byText.get(text.replace(/\.$/, '').replace(/ ;/g, ';'));
      if (known === undefined) return null;
      const shown = sources.map((source) => ({
        source,
        quote: (quotes.get(source) ?? []).find((one) =>
          known.borne.some(({ quote }) => quote.includes(one) || one.includes(quote)),
        ),
      }));
      return {
        verdict: 'supported',
        quotes: shown.flatMap(({ source, quote }) => (quote === undefined ? [] : [{ source, quote }])),
        without: shown.flatMap(({ source, quote }) => (quote === undefined ? [source] : [])),
      };
    };
  }

  test('60 sentences on two to four sources keep all supporting citations', async () => {
    const sentences = joined();
    expect(sentences).toHaveLength(60);
    const standing = await audited(sentences, rightAbout(sentences));
    const kept = sentences.filter(({ text, marked }) => {
      const cited = new Set(citedIds(standing.get(text)?.text ?? ''));
      return citedIds(marked).every((id) => cited.has(id));
    });
    expect(kept.length).toBeGreaterThanOrEqual(58);
  });

  test('60 sentences with one foreign source lose only that citation', async () => {
    const sentences = planted();
    const standing = await audited(sentences, rightAbout(sentences));
    const mended = sentences.filter(({ text, marked, foreign }) => {
      const cited = citedIds(standing.get(text)?.text ?? '');
      const wanted = citedIds(marked).filter((id) => id !== foreign);
      return !cited.includes(foreign ?? '') && wanted.every((id) => cited.includes(id));
    });
    expect(mended.length).toBeGreaterThanOrEqual(54);
  });

  const citing = ({ quotes, text }: { quotes: string[]; text: string }): Cited => {
    const borne = quotes.flatMap((key) => quoteOf.get(key) ?? []);
    const sources = [...new Set(borne.map(({ source }) => source))];
    return { text, marked: `${text} ${citationMark(sources)}.`, borne, foreign: null };
  };

  const [INFERENCES, CAUSES] = [made.inferences.map(citing), made.causes.map(citing)];

  /** The first words of what a sentence cites, for a critic that has to quote something. */
  const anyQuote = ({ sources }: AskedSentence, quotes: ShownQuotes): Judged['quotes'] =>
    sources.slice(0, 1).map((source) => ({ source, quote: quotes.get(source)?.[0] ?? '' }));

  test('inferences stand as they were written and are seldom rejected', async () => {
    const infers: Critic = (...asked) => ({ verdict: 'inference', quotes: anyQuote(...asked) });
    const standing = await audited(INFERENCES, infers);
    const found = INFERENCES.flatMap(({ text }) => standing.get(text) ?? []);
    expect(found.length).toBeGreaterThanOrEqual(19);
    expect(found.filter(({ verdict }) => verdict?.verdict === 'inference').length).toBeGreaterThanOrEqual(18);
    expect(found.some(({ text }) => text.includes('(inference)'))).toBe(false);
    expect(found.every(({ text }) => citedIds(text).length > 0)).toBe(true);
  });

  const DOUBTLESS = 'as every source says beyond doubt';

  test.each<[string, Critic]>([
    [
      'is right',
      (...asked) => ({ verdict: 'partial', quotes: anyQuote(...asked), reason: 'No cause is given.' }),
    ],
    ['confirms without a quote', () => ({ verdict: 'supported', quotes: [] })],
    ['infers without a quote', () => ({ verdict: 'inference', quotes: [] })],
    [
      'quotes other words',
      ({ sources: [source = ''] }) => ({ verdict: 'supported', quotes: [{ source, quote: DOUBTLESS }] }),
    ],
    ['is silent', () => null],
  ])('with a critic that %s no cause stands that no source gives', async (_how, judge) => {
    const standing = await audited(CAUSES, judge);
    expect(CAUSES.filter(({ text }) => standing.has(text)).map(({ text }) => text)).toEqual([]);
  });

  test.each(['hxxp://evil[.]example/pay', 'evil [dot] example', 'help(at)evil[.]example'])(
    'a sentence that adds %s is refused, whatever the critic says',
    async (address) => {
      const agrees: Critic = (...asked) => ({ verdict: 'supported', quotes: anyQuote(...asked) });
      const sentences = joined().slice(0, 5);
      const adding = sentences.map(({ text, marked }) => ({
        text: `${text}, see ${address}`,
        marked: marked.replace(text, `${text}, see ${address}`),
      }));
      expect((await audited(sentences, agrees)).size).toBe(5);
      expect((await audited(adding, agrees)).size).toBe(0);
    },
  );
});
