import { admitBrief, type AdmitBriefInput } from '../../../../src/activities/brief/gather/admit-brief';
import { storeArtifact } from '../../../../src/activities/shared/artifacts';
import { stepVersions } from '../../../../src/steps/step-versions';
import { signal } from '../../answer/corpus-under-test';
import { AS_OF, RUN } from './brief-under-test';
import { storesUnderTest } from '../../stores-under-test';

const WALKING = {
  title: 'Walking',
  summary: 'Walking lowered blood pressure [1].',
  citations: ['https://a.example/'],
};

const under = storesUnderTest();

const admit = (
  given: Pick<AdmitBriefInput, 'subtopics' | 'subtopicsRef'> & { template?: string },
): ReturnType<typeof admitBrief> => {
  const { runId, engine, question } = RUN;
  const { template = RUN.brief.template, ...subtopics } = given;
  const run = { runId, engine, question, brief: { ...RUN.brief, template }, asOf: AS_OF };
  return admitBrief(under.ports, { ...run, ...subtopics }, signal);
};
const problemsOf = async (subtopics: unknown): Promise<string[]> => {
  const subtopicsRef = await storeArtifact(under.stores.content, 'client', subtopics);
  return (await admit({ subtopicsRef })).problems;
};

it('has the run hold what the client stored, so that the client may let it go', async () => {
  const subtopicsRef = await storeArtifact(under.stores.content, 'client', [WALKING]);
  const admitted = await admit({ subtopicsRef });
  const nothing = { promptsRef: null, formerLogBegunAt: null, warnings: [] };
  expect(admitted).toEqual({ problems: [], subtopicsRef, stepVersions, ...nothing });
  await under.stores.content.clearRun('client');
  expect(await under.stores.content.has(subtopicsRef)).toBe(true);
});

it('stores what was given as it is under the same name', async () => {
  const { subtopicsRef, problems } = await admit({ subtopics: [WALKING] });
  expect(problems).toEqual([]);
  expect(subtopicsRef).toBe(await storeArtifact(under.stores.content, 'client', [WALKING]));
});

it.each([
  ['none', [], 'subtopics is empty; a brief is written from one at least'],
  [
    'too many',
    Array.from({ length: 201 }, () => WALKING),
    'subtopics has 201; allowed are up to 200, so bring some together',
  ],
  [
    'an empty summary',
    [WALKING, { ...WALKING, title: 'Sleep', summary: ' \n' }],
    'subtopics[1] ("Sleep"): summary is " \\n": summary is empty',
  ],
  [
    'a citation that is no web address',
    [{ ...WALKING, citations: ['https://a.example/', 'ftp://files.example/a'] }],
    'subtopics[0] ("Walking"): citations[1] is "ftp://files.example/a", which is no web address',
  ],
  [
    'a source that nothing is known of',
    [{ ...WALKING, sources: [{ author: 'Doe' }] }],
    'subtopics[0] ("Walking"): sources[0] has neither url, title nor content',
  ],
  [
    'nothing that could be cited',
    [{ title: 'Walking', summary: 'Walking lowered blood pressure.' }],
    'no subtopic names a source, by citations, sources or an address in its summary, so that nothing could be cited',
  ],
])('refuses %s, and says where', async (_name, subtopics, problem) => {
  expect(await problemsOf(subtopics)).toEqual([problem]);
});

it('names the subtopic and the field of what has no title and no text', async () => {
  const [first, second, ...more] = await problemsOf([{ summary: 'A.' }, 'Walking']);
  expect(first).toBe('subtopics[0]: title is missing; allowed: a text of 1 to 300 characters');
  expect(second).toMatch(/^subtopics\[1\]: it is "Walking"; allowed: an object with title, summary, /);
  expect(more).toEqual([]);
});

it('takes a subtopic without citations whose summary links to its sources', async () => {
  expect(await problemsOf([{ title: 'A', summary: 'Prices rose again (https://a.example/).' }])).toEqual([]);
});

it('says what is wrong with a reference', async () => {
  const missing = '0'.repeat(64);
  expect((await admit({ subtopicsRef: missing })).problems).toEqual([
    `subtopicsRef is ${missing}, which is not in this worker's content store`,
  ]);
  const text = await under.stores.content.store('client', 'no list');
  expect((await admit({ subtopicsRef: text })).problems).toEqual([
    `subtopicsRef is ${text}, which is no list of subtopics`,
  ]);
  expect((await admit({ subtopics: [WALKING], subtopicsRef: text })).problems).toEqual([
    'subtopics and subtopicsRef are both given; give one of them',
  ]);
});

it('looks at the template as well', async () => {
  expect((await admit({ subtopics: [WALKING], template: 'literature-review' })).problems).toEqual([]);
  const { problems } = await admit({ subtopics: [], template: 'briefs' });
  expect(problems).toHaveLength(2);
  expect(problems[1]).toMatch(/^brief\.template: .*Is brief meant\?$/);
});

it.each([
  ['one word', 'Exercise'],
  ['a table', '| a | b |\n| --- | --- |\n| rowing | lowered it by 1 mmHg [1] |'],
  ['HTML', '<p>Rowing lowered it by 1 mmHg.</p>'],
  ['signs', '... !!!'],
])('refuses subtopics that state nothing: %s', async (_name, summary) => {
  expect(await problemsOf([{ ...WALKING, summary }])).toEqual([
    expect.stringMatching(/^no summary has a sentence that states anything; .*write what they show/),
  ]);
  expect(await problemsOf([{ ...WALKING, summary }, WALKING])).toEqual([]);
});

it('refuses a title that nobody can see', async () => {
  expect(await problemsOf([{ ...WALKING, title: '\u200b' }])).toEqual([
    expect.stringContaining('title has neither a letter nor a number'),
  ]);
});
