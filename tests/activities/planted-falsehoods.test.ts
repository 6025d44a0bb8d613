import { readArtifact, storeArtifact } from '../../src/activities/artifacts';
import type { ActivityPorts, ReportContext } from '../../src/activities/ports';
import { auditText } from '../../src/activities/write-report';
import { NO_USAGE } from '../../src/contracts/budget';
import { WrittenText } from '../../src/contracts/draft';
import { SynthesisSettings } from '../../src/contracts/run-settings';
import type { CataloguedSource, SourceCatalogue } from '../../src/contracts/source';
import type { Engine } from '../../src/engines/engine';
import { auditTextAnswer } from '../../src/engines/model/audit-output';
import { parseText } from '../../src/evidence/written-text';
import type { AuditTextInput } from '../../src/steps/audit-text';
import { signal, STEP_BRIEF } from './corpus-under-test';
import data from './planted-falsehoods.json';
import { storesUnderTest } from './stores-under-test';

const under = storesUnderTest();

const KINDS = ['number', 'source', 'cause', 'certainty', 'sum', 'direction'] as const;
type Kind = (typeof KINDS)[number];

interface Planted {
  kind: Kind;
  text: string;
  sourceId: string;
  /** What its source says instead; of a wrong source, any sentence of it. */
  truth: string;
}

const { sources } = data;
/** A fact with the mark of the source after its own, or five false sentences on it with the right mark. */
const PLANTED: Planted[] = sources.flatMap(({ id, facts }, at) =>
  facts.flatMap(({ says, ...falsehoods }): Planted[] => {
    const other = sources[(at + 1) % sources.length] ?? sources[0];
    return KINDS.map((kind) =>
      kind === 'source'
        ? { kind, text: says, sourceId: other?.id ?? '', truth: other?.facts[0]?.says ?? '' }
        : { kind, text: falsehoods[kind], sourceId: id, truth: says },
    );
  }),
);

const openingOf = (sourceId: string): string => sources.find(({ id }) => id === sourceId)?.opening ?? '';
const written = ({ text, sourceId }: Planted): string => text.replace(/\.$/, ` [@${sourceId}].`);
const TEXT = `# T\n\n## Findings\n\n${PLANTED.map(written).join('\n\n')}`;

const SILENCE = { verdicts: [], notes: [] };

/** What a critic answers on a falsehood, beside its id; null for nothing. */
type Critic = (planted: Planted) => { verdict: string; quote?: string; calculation?: string } | null;

function engineWith(critic: Critic): Engine {
  return {
    name: 'openai',
    close: () => Promise.resolve(),
    run: (_step, input) => {
      // The activity asks for no other step.
      const asked = input as unknown as AuditTextInput;
      const names = new Map(asked.sources.map(({ sourceId }, at) => [sourceId, `S${at + 1}`]));
      const verdicts = asked.statements.flatMap(({ text }, at) => {
        const planted = PLANTED.find((one) => written(one) === text);
        const said = planted === undefined ? null : critic(planted);
        if (planted === undefined || said === null) return [];
        const { verdict, quote = '', calculation = '' } = said;
        const quotes = [
          { source: names.get(planted.sourceId) ?? '', quote: quote.split(' ').slice(0, 15).join(' ') },
        ];
        return [{ sentence: `T${at + 1}`, verdict, severity: 'wrong', quotes, calculation, reason: '' }];
      });
      const output = auditTextAnswer.toOutput(asked, { verdicts, notes: [] }).output ?? SILENCE;
      return Promise.resolve({ output, usage: NO_USAGE, warnings: [] } as never);
    },
  };
}

/** How many falsehoods stand in the text as if they had been checked, by their kinds. */
async function standing(critic: Critic): Promise<Record<Kind, number>> {
  const ports: ActivityPorts = { ...under.ports, engines: { openai: engineWith(critic) } };
  const { content } = ports;
  const run: ReportContext = { ...STEP_BRIEF, synthesis: SynthesisSettings.parse({}) };
  const texts = sources.map(({ opening, facts }) => [opening, ...facts.map(({ says }) => says)].join('\n\n'));
  const refs = await content.storeBatch(run.runId, texts);
  const catalogue: SourceCatalogue = {
    sources: sources.map(({ id, title }, at): CataloguedSource => ({
      id,
      url: null,
      title,
      contentRef: refs[at] ?? '',
      contentChars: texts[at]?.length ?? 0,
      summaryRef: refs[at] ?? '',
      accessedAt: '2026-01-01',
      quality: { level: 'general', reason: '' },
      held: [],
    })),
    counts: { sentences: 0, holders: {} },
    merged: [],
  };
  const [catalogueRef, outlineRef, validatedRef, textRef] = await Promise.all([
    storeArtifact(content, run.runId, catalogue),
    storeArtifact(content, run.runId, OUTLINE),
    storeArtifact(content, run.runId, { sections: [], conflicts: [], gaps: [], readInFull: [] }),
    storeArtifact(content, run.runId, parseText(TEXT, 'Q?')),
  ]);
  const audited = await auditText(
    ports,
    { run, catalogueRef, outlineRef, validatedRef, textRef, revision: 0, removesWrong: true },
    signal,
  );
  const text = await readArtifact(content, audited.textRef, WrittenText);
  const unmarked = new Set(
    text.statements.flatMap(({ text: words, verdict }) =>
      verdict?.verdict === 'unchecked' || verdict?.code === 'number-absent' ? [] : [words],
    ),
  );
  const counts = KINDS.map((kind) => [
    kind,
    PLANTED.filter((one) => one.kind === kind && unmarked.has(written(one))).length,
  ]);
  return Object.fromEntries(counts) as Record<Kind, number>;
}

/** A plan of which all sources are read. */
const OUTLINE = {
  overallTheme: 'T',
  sections: [
    {
      id: 'section-1',
      title: 'T',
      description: 'T.',
      subsections: [],
      relevantSources: [],
      sourceScores: sources.map(({ id }) => ({ sourceId: id, relevance: 1 })),
    },
  ],
};

const NONE = { number: 0, source: 0, cause: 0, certainty: 0, sum: 0, direction: 0 };

test('there are twenty of each kind', () => {
  for (const kind of KINDS) expect(PLANTED.filter((one) => one.kind === kind)).toHaveLength(20);
  expect(new Set(PLANTED.map(written)).size).toBe(120);
});

test('with a critic that refuses them with a quote none stands', async () => {
  expect(await standing(({ truth }) => ({ verdict: 'contradicted', quote: truth }))).toEqual(NONE);
  expect(await standing(() => ({ verdict: 'unsupported' }))).toEqual(NONE);
});

test('with a silent critic none stands without a mark', async () => {
  expect(await standing(() => null)).toEqual(NONE);
});

test('with a critic that confirms them with invented quotes none stands without a mark', async () => {
  expect(
    await standing(() => ({ verdict: 'supported', quote: 'as the sources have said at all times' })),
  ).toEqual(NONE);
  expect(await standing(({ text }) => ({ verdict: 'inference', quote: text }))).toEqual(NONE);
});

test('with a critic that confirms them with true quotes, only numbers are found out by words', async () => {
  // The numbers that stand are others of the same source: eleven stations, 5 minutes, 12 hours.
  const unseen = { number: 1, source: 0, cause: 20, certainty: 20, sum: 3, direction: 20 };
  const calculation = '2 + 2 = 4';
  const confirms = (quote: string) => ({ verdict: 'supported', quote, calculation });
  expect(await standing(({ sourceId }) => confirms(openingOf(sourceId)))).toEqual(unseen);
  expect(await standing(({ truth }) => confirms(truth))).toEqual(unseen);
});
