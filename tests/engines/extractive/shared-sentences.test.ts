import { passesOver, type ReadSource } from '../../support/passes-without-server';
import { randomFrom } from '../../support/random';

const QUESTION = 'Does walking after meals lower blood glucose in adults?';
const SHARED = 'Walking after meals significantly lowered blood glucose in adults with prediabetes.';
const OWN_WORDS = [
  SHARED,
  'Blood glucose was significantly lowered by walking after meals in adults with prediabetes.',
  'In adults with prediabetes, walking after meals significantly reduced blood glucose.',
  'Adults with prediabetes had a significantly reduced blood glucose through walking after meals.',
  'Blood glucose significantly decreased with walking after meals in adults with prediabetes.',
];

/** Sentences of other things, so that what the documents share is rare in them and the documents are no near-duplicates. */
function* otherThings(): Generator<string> {
  const random = randomFrom(7);
  const one = (words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? '';
  const who = [
    'A pilot',
    'The choir',
    'One engineer',
    'Our neighbour',
    'Every beekeeper',
    'The gardener',
    'No printer',
  ];
  const did = ['painted', 'repaired', 'sold', 'photographed', 'borrowed', 'measured', 'described', 'forgot'];
  const what = [
    'the harbour',
    'four ladders',
    'a brass clock',
    'the old library',
    'eleven maps',
    'some lime trees',
  ];
  const when = [
    'in the fog',
    'before the ferry came',
    'during the long weekend',
    'after the roof had been mended',
  ];
  for (;;) yield `${one(who)} ${one(did)} ${one(what)} ${one(when)}.`;
}

/** The surest confidence in what the texts say, each in a document of its own among others, and how many documents are named for it. */
async function surest(texts: readonly string[]): Promise<{ confidence: number; sources: number }> {
  const others = otherThings();
  const some = (count: number): string =>
    Array.from({ length: count }, () => others.next().value as string).join(' ');
  const sources = Array.from({ length: 8 }, (_, at): ReadSource => ({
    sourceId: `document-${at + 1}`,
    title: 'Walking after meals and blood glucose',
    quality: { level: 'general', reason: 'a note' },
    content: [some(12), texts[at] ?? some(1), some(12)].join('\n\n'),
  }));
  const { validated } = await passesOver(QUESTION, sources);
  const told = validated.sections
    .flatMap(({ findings }) => findings)
    .filter(({ claim }) => /glucose/i.test(claim));
  return {
    confidence: Math.max(...told.map(({ confidence }) => confidence)),
    sources: new Set(told.flatMap(({ citations }) => citations)).size,
  };
}

describe('a sentence that stands in many documents', () => {
  let alone: Awaited<ReturnType<typeof surest>>;
  beforeAll(async () => {
    alone = await surest([SHARED]);
  });

  it('makes its finding no surer than one document does, and the others are named as well', async () => {
    const copied = await surest(OWN_WORDS.map(() => SHARED));
    expect(copied.confidence).toBe(alone.confidence);
    expect(copied.sources).toBe(OWN_WORDS.length);
  });

  it.each<[string, (at: number) => string]>([
    ['behind a heading in some', (at) => (at % 2 === 0 ? SHARED : `RESULTS OF THE TRIAL: ${SHARED}`)],
    ['in capitals in some', (at) => (at % 2 === 0 ? SHARED : SHARED.toUpperCase())],
    ['with a remark in some', (at) => (at % 2 === 0 ? SHARED : SHARED.replace('.', ' (see Table 2).'))],
    ['behind other sentences', (at) => `Notes of day ${at} follow. ${SHARED}`],
  ])('counts once where it stands %s', async (_how, text) => {
    const { confidence } = await surest(OWN_WORDS.map((_own, at) => text(at)));
    expect(confidence).toBe(alone.confidence);
  });

  it('leaves what documents say in words of their own to make a finding surer', async () => {
    expect((await surest(OWN_WORDS)).confidence).toBeGreaterThan(alone.confidence);
  });
});
