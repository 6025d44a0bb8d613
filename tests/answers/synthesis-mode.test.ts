import { synthesisMode } from '../../src/answers/synthesis-mode';
import { passage } from './passages';

const of = (...sourceIds: string[]): ReturnType<typeof passage>[] =>
  sourceIds.map((sourceId, at) => passage(at + 1, sourceId));

test.each([
  ['document 003: two documents with two passages each', of('doc1', 'doc1', 'doc2', 'doc2'), true, 2],
  ['document 003: one of the first, three of the second', of('doc1', 'doc2', 'doc2', 'doc2'), false, 2],
  ['document 003: three and two', of('gps', 'gps', 'gps', 'guide', 'guide'), true, 2],
  ['a third document with one passage is counted', of('a', 'a', 'b', 'b', 'c'), true, 3],
  ['one passage of many documents each', of('a', 'b', 'c', 'd', 'e'), false, 5],
  ['nothing', [], false, 0],
])('%s', (_what, passages, active, sourceDocumentCount) => {
  expect(synthesisMode(passages)).toEqual({ active, sourceDocumentCount });
});

it('counts passages of graphs neither for the mode nor as documents', () => {
  const graph = { origin: 'graph' as const };
  const graphs = ['b', 'g', 'g'].map((id, at) => passage(at + 4, id, graph));
  const passages = [...of('a', 'a', 'b'), ...graphs];
  expect(synthesisMode(passages)).toEqual({ active: false, sourceDocumentCount: 2 });
});
