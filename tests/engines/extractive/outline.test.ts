import fc from 'fast-check';
import { OutlinePlan } from '../../../src/core/contracts/outline';
import { STOP_WORDS } from '../../../src/language/words';
import { outlineExtractively } from '../../../src/engines/extractive/outline';
import { outline as outlineStep, type OutlineInput } from '../../../src/steps/outline';

type Source = OutlineInput['sources'][number];

const quality = { level: 'general' as const, reason: 'a test' };
const causes = [
  'river restoration',
  'gravel beds',
  'fish ladders',
  'dam removal',
  'floodplain forests',
  'beaver ponds',
];
const outcomes = [
  'brown trout',
  'water temperature',
  'insect larvae',
  'bank erosion',
  'nitrate concentration',
  'otter populations',
];
const places = ['alpine streams', 'lowland rivers', 'coastal marshes'];

function source(id: string, cause: string, outcome: string, place: string): Source {
  return {
    sourceId: id,
    title: `Effects of ${cause} on ${outcome} in ${place}: a study`,
    quality,
    summary: `We examined ${cause} over twelve weeks. The ${cause} increased ${outcome} by 20 % in ${place}. The control group did not change significantly. More ${outcome} followed where ${cause} was used.`,
  };
}

function corpus(size: number): Source[] {
  return Array.from({ length: size }, (_, at) => {
    const theme = at % causes.length;
    return source(
      `s${String(at).padStart(3, '0')}`,
      causes[theme] ?? '',
      outcomes[at % 7 === 0 ? (theme + 1) % outcomes.length : theme] ?? '',
      places[Math.floor(at / 3) % places.length] ?? '',
    );
  });
}

const question = 'Which measures work best, and by how much?';
const GENERIC =
  /^(?:effects?|patients|results?|study|studies|control group|data|outcomes?|analysis|groups?)$/i;

function expectGoodTitles(titles: readonly string[]): void {
  const seen = new Set<string>();
  for (const title of titles) {
    const words = title.toLowerCase().split(/\s+/);
    expect(title).not.toMatch(GENERIC);
    expect(title).not.toMatch(/[<>[\]()`*#|]|https?:|\bstudy group\b|significant|\bwas\b|\bwere\b/i);
    expect(title).toMatch(/^[\p{Lu}\p{N}]|^\p{Ll}+[\p{Lu}-]/u);
    expect(STOP_WORDS.has(words[0] ?? '')).toBe(false);
    expect(STOP_WORDS.has(words.at(-1) ?? '')).toBe(false);
    expect(words.some((word) => !STOP_WORDS.has(word) && word.length > 1)).toBe(true);
    expect(seen.has(title.toLowerCase())).toBe(false);
    seen.add(title.toLowerCase());
  }
}

test('plans sections that the step accepts, each from several sources, best first', () => {
  const input = { question, sources: corpus(120) };
  const planned = OutlinePlan.parse(outlineExtractively(input));
  expect(outlineStep.check(input, planned)).toEqual([]);
  expect(planned.sections.length).toBeGreaterThanOrEqual(5);
  expect(planned.sections.length).toBeLessThanOrEqual(8);
  for (const section of planned.sections) {
    const relevances = section.relevantSources.map(({ relevance }) => relevance);
    expect(relevances.length).toBeGreaterThan(4);
    expect(relevances).toEqual([...relevances].sort((a, b) => b - a));
    expect(relevances[0]).toBeGreaterThanOrEqual(0.8);
    expect(section.description).toMatch(/^What \d+ sources .*\.$/);
  }
  expectGoodTitles(planned.sections.map((section) => section.title));
});

test('the themes of the collection become the headings, each with the sources that are about it', () => {
  const planned = outlineExtractively({ question, sources: corpus(120) });
  const titles = planned.sections.map((section) => section.title.toLowerCase()).join('; ');
  expect(
    causes.filter((cause) => titles.includes(cause)).length +
      outcomes.filter((outcome) => titles.includes(outcome)).length,
  ).toBeGreaterThanOrEqual(5);
  const covered = new Set(
    planned.sections.flatMap((section) =>
      section.relevantSources.filter(({ relevance }) => relevance >= 0.5).map(({ sourceId }) => sourceId),
    ),
  );
  expect(covered.size).toBeGreaterThan(100);
});

test('the order of the sources does not matter', () => {
  const sources = corpus(60);
  const shuffled = sources.map((_, at) => sources[(at * 37) % sources.length]).flatMap((item) => item ?? []);
  expect(outlineExtractively({ question, sources: shuffled })).toEqual(
    outlineExtractively({ question, sources }),
  );
});

test('sources off a narrow question are in no section', () => {
  const sources = [
    ...corpus(48),
    ...Array.from({ length: 10 }, (_, at) => source(`x${at}`, 'garlic bread', 'crust colour', 'stone ovens')),
  ];
  const planned = outlineExtractively({ question: 'How do fish ladders affect brown trout?', sources });
  const listed = planned.sections.flatMap((section) =>
    section.relevantSources.map(({ sourceId }) => sourceId),
  );
  expect(listed.length).toBeGreaterThan(3);
  expect(listed.filter((id) => id.startsWith('x'))).toEqual([]);
});

test('topics that the question lists get a section each', () => {
  const sources = corpus(60);
  const planned = outlineExtractively({
    question: 'What is known of brown trout, bank erosion and otter populations?',
    sources,
  });
  const titles = planned.sections.map((section) => section.title.toLowerCase()).join('; ');
  for (const topic of ['brown trout', 'bank erosion', 'otter populations']) expect(titles).toContain(topic);
});

test.each([
  [1, 1],
  [2, 1],
  [3, 2],
  [15, 5],
])('%i sources give at most %i sections', (size, most) => {
  const planned = OutlinePlan.parse(outlineExtractively({ question, sources: corpus(size) }));
  expect(planned.sections.length).toBeGreaterThanOrEqual(1);
  expect(planned.sections.length).toBeLessThanOrEqual(most);
  const ids = planned.sections.flatMap((section) => section.relevantSources);
  expect(ids.length).toBeGreaterThanOrEqual(1);
});

test('a question that nothing answers still gets a plan of what there is', () => {
  const planned = outlineExtractively({ question: 'How do black holes evaporate?', sources: corpus(30) });
  expect(planned.sections.length).toBeGreaterThanOrEqual(1);
  expectGoodTitles(planned.sections.map((section) => section.title));
});

test('a near-duplicate goes where its original goes, just behind it', () => {
  const sources = corpus(40);
  const copy: Source = {
    ...source('z-copy', 'dam removal', 'bank erosion', 'alpine streams'),
    nearDuplicateOf: 's003',
  };
  const planned = outlineExtractively({ question, sources: [...sources, copy] });
  for (const section of planned.sections) {
    const original = section.relevantSources.find(({ sourceId }) => sourceId === 's003');
    const repeated = section.relevantSources.find(({ sourceId }) => sourceId === 'z-copy');
    expect(repeated === undefined).toBe(original === undefined);
    if (original !== undefined && repeated !== undefined)
      expect(repeated.relevance).toBeLessThan(original.relevance);
  }
});

test('markup, addresses and instructions in titles do not reach the headings', () => {
  const sources = corpus(24).map((item) => ({
    ...item,
    title: `[${item.title}](https://evil.example/pay) <img src=x onerror=alert(1)> **IGNORE** \u001b[31m\u200Bclick https://evil.example`,
  }));
  const planned = outlineExtractively({ question, sources });
  const texts = planned.sections.flatMap((section) => [
    section.title,
    section.description,
    ...section.subsections.map(({ title }) => title),
  ]);
  expect([...texts, planned.overallTheme].join('\n')).not.toMatch(/https?:|evil|<|>|\[|\]|\u001b|\u200B|\*/);
});

test('titles are never fragments, stop words or duplicates, whatever the collection', () => {
  const word = fc.constantFrom(
    ...causes,
    ...outcomes,
    ...places,
    'the study group',
    'significantly improved',
    'results',
    'LDL',
    'of patients',
    'quality',
    'and',
  );
  const text = fc.array(word, { minLength: 3, maxLength: 14 }).map((parts) => `${parts.join(' ')}.`);
  const sources = fc
    .array(fc.tuple(text, text), { minLength: 1, maxLength: 40 })
    .map((pairs) =>
      pairs.map(([title, summary], at): Source => ({ sourceId: `s${at}`, title, quality, summary })),
    );
  fc.assert(
    fc.property(sources, (list) => {
      const input = { question, sources: list };
      const planned = OutlinePlan.parse(outlineExtractively(input));
      expect(outlineStep.check(input, planned)).toEqual([]);
      expectGoodTitles(planned.sections.map((section) => section.title));
    }),
    { numRuns: 60, seed: 11 },
  );
});
