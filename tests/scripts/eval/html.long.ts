import { goldOf } from '../../../scripts/eval/suites/html';
import { visiblePage, wordsOf } from '../../../scripts/eval/visible-page';

const PAGE = visiblePage(
  `<head><title>no</title></head><body><nav>Home Text</nav><h1>The text</h1><p>It begins<script>no</script> here.</p><ul><li>Share</li></ul>
   <table><tr><th>Group</th><th>Change</th></tr><tr><td>A</td><td>1.2</td></tr></table><table><tr><td>no</td><td>header</td></tr></table></body>`,
);

it('knows all words that can be seen, and the tables that have a header', () => {
  expect(PAGE.words.join(' ')).toBe('home text the text it begins here share group change a 1 2 no header');
  expect(PAGE.tables).toEqual([{ header: ['group', 'change'], row: ['a', '1', '2'] }]);
});

it('cuts the marked pieces out of a page, in their order, the last to its end', () => {
  const pieces = [{ from: 'The text', to: 'begins here' }, { from: 'Group' }];
  expect(goldOf(PAGE.words, pieces)).toEqual(wordsOf('the text it begins here group change a 1 2 no header'));
});

it('refuses a mark that is not on the page', () => {
  expect(() => goldOf(PAGE.words, [{ from: 'nowhere', to: 'here' }])).toThrow(
    'No piece of the page is from "nowhere" to "here".',
  );
});
