import { furtherSources, termHolders } from '../../../src/core/passages/further-sources';

test('the rank after pass 2 decides which of two sources that share as much with a claim is read first in pass 3', () => {
  const statements = ['Walking lowers blood pressure'];
  const ids = ['a', 'b', 'c'];
  const summaries = ids.map(() => 'Walking and blood pressure.');
  const request = {
    statements,
    ids,
    holders: [termHolders({ statements, summaries: summaries.slice(0, 1), first: 0 })],
    last: { summaries: summaries.slice(1), first: 1 },
    except: new Set<string>(),
    count: 2,
  };
  expect(furtherSources(request)).toEqual(['a', 'b']);
  expect(furtherSources({ ...request, standing: new Map([['c', 0.9]]) })).toEqual(['c', 'a']);
});
