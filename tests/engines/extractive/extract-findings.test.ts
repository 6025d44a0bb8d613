import type { Encoder } from '../../../src/encoder/encoder';
import { openOnnxEncoder } from '../../../src/encoder/onnx-encoder';
import type { SourceWindow } from '../../../src/contracts/source/passage';
import { splitPassages } from '../../../src/language/passages';
import { extractFindingsExtractively } from '../../../src/engines/extractive/extract-findings';
import { extractFindings } from '../../../src/steps/extract-findings/extract-findings';
import type {
  ExtractFindingsInput,
  ExtractFindingsOutput,
} from '../../../src/steps/extract-findings/contract';
import { z } from 'zod';
import { AUTHORITATIVE, GENERAL } from '../../support/findings';
import { describeWithData, sharedRecords } from '../../support/shared-data';

const QUESTION = 'Does walking reduce body weight, and by how much?';

function windowOf(sourceId: string, title: string, content: string): SourceWindow {
  return { sourceId, title, quality: AUTHORITATIVE, summaryOnly: false, passages: splitPassages(content) };
}

interface Asking {
  question?: string;
  max?: number;
  encoder?: Encoder | null;
}

async function findingsIn(
  sources: SourceWindow[],
  { question = QUESTION, max = 20, encoder = null }: Asking = {},
): Promise<ExtractFindingsOutput['findings']> {
  const input: ExtractFindingsInput = {
    question,
    sources,
    findings: { min: 2, max },
    section: { id: 'section-1', title: 'Walking', description: 'What walking did.', subsections: [] },
  };
  const output = await extractFindingsExtractively(input, encoder);
  expect(extractFindings.check(input, output)).toEqual([]);
  for (const { claim, evidence } of output.findings)
    expect(claim).toBe(evidence[0]?.quote.replace(/\s+/g, ' '));
  return output.findings;
}

async function claimsIn(...given: Parameters<typeof findingsIn>): Promise<string[]> {
  return (await findingsIn(...given)).map(({ claim }) => claim);
}

describe('findings', () => {
  it('are sentences of the sources, word for word, at their places', async () => {
    const content =
      '# Walking and weight\n\nForty adults took part.\n\nWalking reduced body weight by 2.1 kg  (p = 0.01). The weather was fine.';
    const [finding] = await findingsIn([windowOf('a', 'Walking and weight', content)]);
    const { start = 0, end = 0, quote } = finding?.evidence[0] ?? {};
    expect(quote).toBe('Walking reduced body weight by 2.1 kg  (p = 0.01).');
    expect(content.slice(start, end)).toBe(quote);
    expect(finding?.citations).toEqual(['a']);
  });

  it.each([
    ['Does vitamin D improve bone density?', 'Vitamin D significantly improved bone density in 300 adults.'],
    ['Does vitamin D improve bone density?', 'Vitamin D did not improve bone density in 300 adults.'],
    ['Did the new road shorten the way to work?', 'The way to work is shorter since the new road.'],
  ])('%s A source may be one short sentence: %s', async (question, sentence) => {
    expect(await claimsIn([windowOf('a', 'A note', sentence)], { question })).toEqual([sentence]);
  });

  it('are, of what is read by its meaning, a source’s results before what others found', async () => {
    const cited = 'Walking reduces body weight, as others have found in trials of adults [3, 4].';
    const result = 'Walkers lost significantly more body weight than the others (p = 0.01).';
    const sources = [windowOf('a', 'Walking and body weight in adults: a trial', `${cited} ${result}`)];
    expect(await claimsIn(sources, { max: 1, encoder: await openOnnxEncoder() })).toEqual([result]);
  });

  it('are never a question, a row of a table, the title or a reference', async () => {
    const title = 'Walking reduces body weight in adults';
    const content = [
      `# ${title}`,
      `${title}.`,
      'Does walking reduce body weight in adults?',
      '| walking | body weight | reduced | 2.1 kg | p = 0.01 |\n| --- | --- | --- | --- | --- |\n| walking | body weight | 1.9 kg | 2.4 kg | p = 0.02 |',
      'In this trial walking reduced body weight by 2.1 kg.',
      '## References\n\n1. Walker J. Walking reduces body weight by a lot. Journal of Walking 2011.',
    ].join('\n\n');
    expect(await claimsIn([windowOf('a', title, content)])).toEqual([
      'In this trial walking reduced body weight by 2.1 kg.',
    ]);
  });

  it('take the sentence before them with them where they lean on it, and are not told twice then', async () => {
    const content =
      'It rained. Body weight was taken every month of walking. This fell by 2.1 kg of body weight with walking.';
    expect(await claimsIn([windowOf('a', 'A year of walking', content)])).toEqual([
      content.slice('It rained. '.length),
    ]);
  });

  it('say the same thing once', async () => {
    const text = (kilograms: string): string =>
      `Walking for half a year reduced body weight in older adults by ${kilograms}.`;
    const sources = ['a', 'b', 'c'].map((id) => windowOf(id, 'Walking', text('2.1 kg')));
    expect(await claimsIn(sources)).toHaveLength(1);
  });

  it('are as many as are wanted at most, three of a source', async () => {
    const measures = [
      'back pain',
      'body weight',
      'the waist',
      'blood pressure',
      'the resting pulse',
      'sleep',
    ];
    const results = measures.map(
      (what, at) => `Walking reduced ${what} and body weight by ${at + 2} % in group ${'ABCDEF'[at]}.`,
    );
    const text = results.join(' ');
    expect((await findingsIn([windowOf('a', 'Walking', text)])).length).toBeLessThanOrEqual(3);
    const many = results.map((result, at) => windowOf(`s${at}`, `Study ${at}`, result));
    expect(await findingsIn(many, { max: 2 })).toHaveLength(2);
  });

  it('hear each of many sources once before any is heard again', async () => {
    const results = [
      'Walking reduced body weight by 2 kg within twelve weeks.',
      'Among nurses the body weight fell by 1.4 kg through walking at lunch.',
      'Dogs made their owners walk, and body weight went down by a kilogram.',
      'No change of body weight was seen after walking to school.',
      'Walking uphill took 3.5 kg off the body weight of soldiers.',
      'A mean loss of 900 g in body weight came with evening walking.',
    ];
    const talker = windowOf('a', 'Walking and body weight', results.slice(0, 3).join(' '));
    const others = results.slice(3).map((result, at) => windowOf(`s${at}`, `Study ${at}`, result));
    const findings = await findingsIn([talker, ...others], { max: 5 });
    const cited = findings.map(({ citations }) => citations[0]);
    expect(new Set(cited.slice(0, 4)).size).toBe(4);
    expect(cited).toHaveLength(5);
  });

  it('are surer of what a journal says than of a web page, and of what answers all of the question', async () => {
    const best = 'Walking reduced body weight by 2.1 kg.';
    const page = { ...windowOf('b', 'A page', best), quality: GENERAL };
    const [ofJournal] = await findingsIn([windowOf('a', 'A journal', best)]);
    const [ofPage] = await findingsIn([page]);
    expect(ofJournal?.confidence).toBeCloseTo(0.8);
    expect(ofPage?.confidence).toBeCloseTo(0.7);
  });

  it('are none where there is nothing to quote', async () => {
    expect(await findingsIn([])).toEqual([]);
    expect(await findingsIn([windowOf('n', 'Notes', 'Milk.\n\nCall home.')])).toEqual([]);
    expect(await findingsIn([windowOf('n', 'Notes', '')])).toEqual([]);
  });

  it('are the same every time', async () => {
    const text = (kilograms: string): string =>
      `Walking reduced body weight by ${kilograms} kg in trial ${kilograms}.`;
    const sources = ['2.1', '3.4'].map((kilograms) => windowOf(`s${kilograms}`, 'Walking', text(kilograms)));
    expect(await findingsIn(sources)).toEqual(await findingsIn(sources));
  });
});

const STUDIES = 'studies/sources.jsonl';

describeWithData([STUDIES], 'findings of real articles', () => {
  it('stand at their offsets, and cite many sources', async () => {
    const Article = z.object({ id: z.string(), title: z.string(), content: z.string() });
    const articles = sharedRecords(STUDIES, Article, 60);
    const windows = articles.map(({ id, title, content }) => windowOf(id, title, content));
    const question = 'Which lifestyle interventions improve health outcomes, and by how much?';
    const findings = await findingsIn(windows, { question });
    const contents = new Map(articles.map(({ id, content }) => [id, content]));
    expect(new Set(findings.flatMap(({ citations }) => citations)).size).toBeGreaterThanOrEqual(10);
    for (const { evidence } of findings)
      for (const { sourceId, start, end, quote } of evidence)
        expect(contents.get(sourceId)?.slice(start, end)).toBe(quote);
  });
});
