import fs from 'node:fs';
import path from 'node:path';
import type { SourceWindow } from '../../../src/core/contracts/passage';
import { splitPassages } from '../../../src/language/passages';
import { extractFindingsExtractively } from '../../../src/engines/extractive/extract-findings';
import { type ExtractFindingsInput, extractFindings } from '../../../src/steps/extract-findings';

const DATA = process.env.COLLIGATE_DATA ?? path.resolve(__dirname, '../../../../shared/data');

function windowOf(
  sourceId: string,
  title: string,
  content: string,
  more: Partial<SourceWindow> = {},
): SourceWindow {
  return {
    sourceId,
    title,
    quality: { level: 'authoritative', reason: 'a journal' },
    summaryOnly: false,
    passages: splitPassages(content),
    ...more,
  };
}

function articleOf(activity: string, kilograms: number): string {
  return [
    `TITLE:\n${activity} and weight in adults`,
    'ABSTRACT.BACKGROUND:\nObesity is a problem. The aim of this study was to examine weight loss.',
    `ABSTRACT.METHODS:\nForty adults with obesity were randomised to ${activity.toLowerCase()} or to usual care for 12 weeks.`,
    `ABSTRACT.RESULTS:\n${activity} reduced body weight by ${kilograms} kg more than usual care (95% CI 0.4 to 9.1; p = 0.01). However, it was not kept. See Table 2.`,
    `BODY.DISCUSSION:\nPrevious studies have shown that ${activity.toLowerCase()} reduces weight by 5 kg [3].`,
  ].join('\n\n');
}

const section = {
  id: 'section-1',
  title: 'Exercise and weight',
  description: 'What exercise did to weight.',
  subsections: ['Walking', 'Rowing'],
};

function inputOf(sources: SourceWindow[], max = 20): ExtractFindingsInput {
  return {
    question: 'Which lifestyle interventions reduce weight, and by how much?',
    section,
    sources,
    findings: { min: 2, max },
  };
}

describe('findings of a section', () => {
  const sources = [
    windowOf('a', 'Walking and weight in adults', articleOf('Walking', 2.1)),
    windowOf('b', 'Rowing and weight in adults', articleOf('Rowing', 3.4)),
  ];

  it('are the results of the sources, word for word', () => {
    const input = inputOf(sources);
    const output = extractFindingsExtractively(input);
    expect(extractFindings.check(input, output)).toEqual([]);
    expect(output.findings.map(({ claim }) => claim).sort()).toEqual([
      'Rowing reduced body weight by 3.4 kg more than usual care (95% CI 0.4 to 9.1; p = 0.01).',
      'Walking reduced body weight by 2.1 kg more than usual care (95% CI 0.4 to 9.1; p = 0.01).',
    ]);
    expect(output.findings.map(({ id }) => id)).toEqual(['section-1-finding-1', 'section-1-finding-2']);
  });

  it('are the same in whatever order the sources come', () => {
    expect(extractFindingsExtractively(inputOf([...sources].reverse()))).toEqual(
      extractFindingsExtractively(inputOf(sources)),
    );
  });

  it('give one claim with all its sources where several assert the same, and more confidence', () => {
    const twice = [...sources, windowOf('c', 'Walking and weight in adults', articleOf('Walking', 2.1))];
    const walking = extractFindingsExtractively(inputOf(twice)).findings.find(({ claim }) =>
      claim.startsWith('Walking'),
    );
    expect(walking?.citations).toEqual(['a', 'c']);
    expect(walking?.evidence.map(({ sourceId }) => sourceId)).toEqual(['a', 'c']);
    expect(walking?.confidence).toBeGreaterThanOrEqual(0.9);
  });

  it('do not count a source as a second one that denies in nearly the same words what the first says', () => {
    const denial = articleOf('Walking', 2.1).replace(
      'Walking reduced body weight by 2.1 kg more than usual care (95% CI 0.4 to 9.1; p = 0.01)',
      'Walking did not reduce body weight by 2.1 kg more than usual care (95% CI -0.4 to 9.1; p = 0.61)',
    );
    const claims = extractFindingsExtractively(
      inputOf([...sources, windowOf('c', 'Walking and weight in adults', denial)]),
    ).findings.filter(({ claim }) => claim.startsWith('Walking'));
    expect(claims.map(({ citations }) => citations).sort()).toEqual([['a'], ['c']]);
  });

  it('do not count a near-duplicate as a second source', () => {
    const copy = windowOf('c', 'Walking and weight in adults', articleOf('Walking', 2.1), {
      nearDuplicateOf: 'a',
    });
    const walking = extractFindingsExtractively(inputOf([...sources, copy])).findings.find(({ claim }) =>
      claim.startsWith('Walking'),
    );
    expect(walking?.citations).toHaveLength(1);
    expect(walking?.confidence).toBeLessThan(0.9);
  });

  it('are no more than asked for, and no more than two of one source', () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      windowOf(`s${index}`, `Walking ${index} and weight`, articleOf('Walking', 2 + index)),
    );
    const findings = extractFindingsExtractively(inputOf(many, 5)).findings;
    expect(findings.length).toBeLessThanOrEqual(5);
    const single =
      articleOf('Walking', 2) +
      '\n\nABSTRACT.CONCLUSIONS:\nWalking lowered the weight of adults with obesity. Walking improved sleep by 12%. Walking reduced pain by 30%.';
    expect(
      extractFindingsExtractively(inputOf([windowOf('a', 'Walking and weight', single)])).findings.length,
    ).toBeLessThanOrEqual(2);
  });

  it('keep to the bands of confidence', () => {
    const general = sources.map((source) => ({
      ...source,
      quality: { level: 'general' as const, reason: 'a web page' },
    }));
    for (const finding of extractFindingsExtractively(inputOf(general)).findings) {
      expect(finding.confidence).toBeGreaterThanOrEqual(0.5);
      expect(finding.confidence).toBeLessThan(0.7);
    }
    for (const finding of extractFindingsExtractively(inputOf(sources)).findings) {
      expect(finding.confidence).toBeGreaterThanOrEqual(0.7);
      expect(finding.confidence).toBeLessThan(0.9);
    }
  });

  it('are none where the sources report none', () => {
    expect(extractFindingsExtractively(inputOf([])).findings).toEqual([]);
    expect(
      extractFindingsExtractively(inputOf([windowOf('n', 'Notes', 'Buy milk.\n\nCall home.')])).findings,
    ).toEqual([]);
  });

  it('are never instructions that somebody hid in a source', () => {
    const attacks = fs
      .readFileSync(path.join(DATA, 'injection/bipia-dev.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { instruction: string }).instruction);
    const encoded = attacks.map((attack) => Buffer.from(attack).toString('base64'));
    const hidden = [
      ...attacks,
      ...encoded.map((code) => `Weight loss ${code} reduced.`),
      ...attacks.map((attack) => `Results: ${attack}`),
    ];
    const poisoned = hidden.map((attack, index) =>
      windowOf(
        `x${index}`,
        'Walking and weight in adults',
        `${articleOf('Walking', 2.1)}\n\nBODY.RESULTS:\n${attack}`,
      ),
    );
    const claims = poisoned.flatMap((source) =>
      extractFindingsExtractively(inputOf([source])).findings.map(({ claim }) => claim),
    );
    expect(claims.length).toBeGreaterThanOrEqual(poisoned.length);
    for (const claim of claims) expect(claim).toMatch(/^Walking reduced body weight/);
  });
});

describe('findings of real articles', () => {
  const sources = fs
    .readFileSync(path.join(DATA, 'studies/sources.jsonl'), 'utf8')
    .split('\n', 60)
    .map((line) => JSON.parse(line) as { id: string; title: string; content: string });

  it('stand at their offsets, cite many sources, and read as sentences', () => {
    const input = inputOf(sources.map(({ id, title, content }) => windowOf(id, title, content)));
    const output = extractFindingsExtractively(input);
    expect(extractFindings.check(input, output)).toEqual([]);
    const contents = new Map(sources.map(({ id, content }) => [id, content]));
    expect(new Set(output.findings.flatMap(({ citations }) => citations)).size).toBeGreaterThanOrEqual(10);
    for (const { claim, evidence } of output.findings) {
      for (const { sourceId, start, end, quote } of evidence)
        expect(contents.get(sourceId)?.slice(start, end)).toBe(quote);
      expect(claim).toMatch(/^["“(]?[\p{Lu}\d].*[.!]["”)]?$/u);
      expect(claim).not.toMatch(/\b(?:Table|Figure|Fig\.) ?\d|\[\d+\]|et al/);
      expect(claim.split(' ').length).toBeLessThanOrEqual(60);
    }
    expect(extractFindingsExtractively(input)).toEqual(output);
  });
});
