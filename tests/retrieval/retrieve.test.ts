import { buildCorpusIndex } from '../../src/retrieval/corpus-index';
import { retrievePassages } from '../../src/retrieval/retrieve';

const CONTENTS: Record<string, string> = {
  tea: 'Green tea is drunk in many countries. In the trial, green tea lowered blood pressure by 3 mmHg after 12 weeks. Nobody left the trial.',
  walking: 'Walking is cheap. Walking for an hour a day lowered blood pressure in two of three groups.',
  bridges: 'The bridge was opened in 1932. It carries eight lanes of traffic and two railway tracks.',
};
const SOURCES = Object.entries(CONTENTS).map(([id, content]) => ({
  entry: { id, title: `About ${id}`, url: null },
  content,
}));

describe('retrieving passages', () => {
  it('finds the source that answers, with its place in it', () => {
    const found = retrievePassages({
      question: 'Does green tea lower blood pressure?',
      index: buildCorpusIndex(SOURCES),
      textOf: (id) => CONTENTS[id],
      most: 2,
    });
    const [best] = found.passages;
    expect(best).toMatchObject({ id: 'P1', sourceId: 'tea', document: 'About tea' });
    expect(CONTENTS['tea']?.slice(best?.start, best?.end)).toBe(best?.text);
    expect(found.searched).toEqual({ documents: 3, passages: 3 });
  });
});
