import { lexicalRelevance } from '../../../src/core/ranking/lexical-relevance';
import { questionOutline } from '../../../src/core/ranking/question-outline';
import { rankByFindings } from '../../../src/core/ranking/rank-by-findings';
import { furtherSources, termHolders } from '../../../src/core/passages/further-sources';

describe('the re-ranking after pass 2', () => {
  const sources = [
    { sourceId: 'expected', relevance: 0.9 },
    { sourceId: 'gave-much', relevance: 0.6 },
    { sourceId: 'gave-little', relevance: 0.6 },
    { sourceId: 'unread', relevance: 0.1 },
  ];
  const findings = [
    { citations: ['gave-much'], confidence: 0.9 },
    { citations: ['gave-much', 'gave-little'], confidence: 0.8 },
    { citations: ['gave-much'], confidence: 0.75 },
  ];

  it('goes by relevance and by what a source gave, half and half', () => {
    const ranked = rankByFindings(sources, findings);
    expect(ranked.map(({ sourceId, findings: given }) => [sourceId, given])).toEqual([
      ['gave-much', 3],
      ['expected', 0],
      ['gave-little', 1],
      ['unread', 0],
    ]);
    expect(ranked[0]?.score).toBeCloseTo(0.5 * 0.6 + (0.5 * 2.45) / 3, 3);
  });

  it('decides which of two sources that share as much with a claim is read first in pass 3', () => {
    const statements = ['Walking lowers blood pressure'];
    const ids = ['a', 'b', 'c'];
    const summaries = ids.map(() => 'Walking and blood pressure.');
    const request = {
      statements,
      ids,
      holders: termHolders({ statements, summaries: summaries.slice(0, 1), first: 0 }),
      last: { summaries: summaries.slice(1), first: 1 },
      except: new Set<string>(),
      count: 2,
    };
    expect(furtherSources(request)).toEqual(['a', 'b']);
    expect(furtherSources({ ...request, standing: new Map([['c', 0.9]]) })).toEqual(['c', 'a']);
  });
});

describe('relevance by words', () => {
  const texts = [
    { title: 'Walking and sleep', summary: 'Walking improved sleep.' },
    { title: 'Tea', summary: 'Tea did nothing for sleep.' },
    { title: 'Coal', summary: 'Coal burns.' },
  ];

  it('is 1 for what shares most, 0 for what shares nothing', () => {
    const topic = { title: 'Sleep and walking', description: '', subsections: [] };
    const [[most = 0, some = 0, none = 0] = []] = lexicalRelevance([topic], texts);
    expect(most).toBe(1);
    expect(some).toBeGreaterThan(0);
    expect(some).toBeLessThan(1);
    expect(none).toBe(0);
  });

  it('ranks all sources under the question where there is no plan', () => {
    const question = 'Does walking improve sleep?';
    const [nearness = []] = lexicalRelevance([{ title: question, description: '', subsections: [] }], texts);
    const { sections } = questionOutline(question, ['s0', 's1', 's2'], nearness);
    expect(sections).toHaveLength(1);
    expect(sections[0]).toMatchObject({ id: 'section-1', title: 'Does walking improve sleep?' });
    expect(sections[0]?.relevantSources.map(({ sourceId }) => sourceId)).toEqual(['s0', 's1', 's2']);
  });
});
