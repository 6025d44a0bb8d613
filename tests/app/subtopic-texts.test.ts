import { withTexts } from '../../src/app/subtopic-texts';
import { useSourceFolder } from '../sources/source-folder';

const folder = useSourceFolder();
const config = { fetch: { allow: [], paceMs: 0, contact: null }, cwd: process.cwd() };

it('gives each subtopic the texts of what it cites, and tells what nobody cites', async () => {
  await folder.write(
    'papers/zinc.md',
    '---\nurl: https://www.example.org/zinc/\n---\n# Zinc and colds\n\nZinc helped.',
  );
  await folder.write('papers/honey.md', '# Honey for coughs at night\n\nHoney helped.');
  await folder.write('papers/other.md', '# Something else\n\nNothing of it.');
  const subtopics = [
    { title: 'Zinc', summary: 'Zinc helped [1].', citations: ['https://example.org/zinc'] },
    { title: 'Honey', summary: 'Honey helped [1].\n\n## Sources\n\n1. Honey for coughs at night.' },
    { title: 'Nothing', summary: 'Nobody knows.', sources: [{ title: 'Its own', content: 'Its own text.' }] },
  ];
  const read = await withTexts({ subtopics, warnings: [] }, { paths: [`${folder.path}/papers`] }, config);
  expect(read.subtopics).toMatchObject([
    {
      ...subtopics[0],
      sources: [{ url: 'https://www.example.org/zinc/', content: '# Zinc and colds\n\nZinc helped.' }],
    },
    { ...subtopics[1], sources: [{ title: 'Honey for coughs at night' }] },
    subtopics[2] ?? {},
  ]);
  expect(read.subtopics[2]).toEqual(subtopics[2]);
  expect(read.warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('No subtopic cites “Something else”'),
  ]);
});
