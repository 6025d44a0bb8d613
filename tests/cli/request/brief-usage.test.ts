import { useProject } from '../project-under-test';

const project = useProject(async ({ write }) => {
  await write('note.md', '# Zinc\n\nZinc shortened colds by 33 % in 575 adults.\n');
  await write('binary.md', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]));
  await write('found.json', '[{"subtopic":"Zinc","citations":["https://example.org"]}]');
  await write('broken.json', '{"subtopic":\n oops}');
  await write('house.md', '# {{title}}\n\n## Summary\n\n{{summry}}\n');
  await write('no-notes/picture.png', 'x');
});

const mistakes: [string, string, RegExp][] = [
  ['a blank question', '"  " --subtopics note.md', /QUESTION is empty/],
  ['nothing to write of', 'Q?', /give --subtopics PATH, or --from/],
  ['a missing path', 'Q? --subtopics missing', /missing: no such file or folder/],
  [
    'a folder without notes',
    'Q? --subtopics no-notes',
    /no-notes: the folder has no note among its 1 file; allowed are \.md/,
  ],
  ['a binary file', 'Q? --subtopics binary.md', /binary\.md:1: a binary file, not text/],
  ['a missing summary', 'Q? --subtopics found.json', /found\.json: subtopic 1: its summary is missing/],
  ['broken JSON', 'Q? --subtopics broken.json', /broken\.json:\d: not valid JSON/],
  [
    'no words',
    'Q? --subtopics note.md --words 0',
    /--words is "0"; allowed: a whole number from 200 to 50000/,
  ],
  ['words that are none', 'Q? --subtopics note.md --words many', /--words is "many"/],
  [
    'an unknown template',
    'Q? --subtopics note.md --template memo',
    /--template memo: it is neither a template that ships \(brief, decision-memo, literature-review\) nor a file/,
  ],
  [
    'an unknown slot',
    'Q? --subtopics note.md --template house.md',
    /--template house\.md: Line 5 of the template has an unknown slot: \{\{summry\}\}\. Is \{\{summary\}\} meant\?[\s\S]*no slot \{\{sources\}\}/,
  ],
  [
    'a threshold above five',
    'Q? --subtopics note.md --threshold 6',
    /--threshold .*is 6; allowed: a number from 1 to 5/,
  ],
  [
    'three revisions',
    'Q? --subtopics note.md --max-revisions 3',
    /--max-revisions .*is 3; allowed: a whole number from 0 to 2/,
  ],
  [
    'an unknown fate of claims',
    'Q? --subtopics note.md --unsupported hide',
    /--unsupported .*"hide"; allowed: mark, remove/,
  ],
  ['itself', 'Q? --from a --id a', /a brief cannot be made of itself/],
  ['again without an id', 'Q? --subtopics note.md --again', /--again needs --id/],
];

test.each(mistakes)(
  '%s is a usage error that names the mistake, and starts nothing',
  async (_name, line, message) => {
    const result = await project.colligate(`brief ${line}`);
    expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toMatch(/\n\s+at /);
    expect(result).toMatchObject({ code: 2, stdout: '' });
  },
);
