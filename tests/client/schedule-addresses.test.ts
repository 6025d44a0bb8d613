import { foundFiles } from '../../src/client/schedules/found-files';
import { InvalidRequestError } from '../../src/client/run-errors';
import { InvalidSourcesError } from '../../src/sources/invalid-sources-error';
import { refusal } from '../support/refusal';

const WEB = 'https://one.example/page?page=2';

test('a schedule keeps addresses as they are given, and fetches nothing while it is made', async () => {
  expect(await foundFiles({ paths: [WEB] })).toEqual({
    finder: 'files',
    settings: { paths: [WEB] },
    skipInvalid: false,
  });
});

test('attack 10: a schedule keeps no key', async () => {
  const paths = [WEB, 'https://one.example/a?access_token=s3cr3t', 'https://user:s3cr3t@one.example/b'];
  const { problems } = await refusal(foundFiles({ paths, skipInvalid: true }), InvalidRequestError);
  expect(problems.map((problem) => problem.replace(/ has a key .*/, ''))).toEqual([
    'https://one.example/a',
    'https://one.example/b',
  ]);
  expect(problems.join()).not.toContain('s3cr3t');
});

test('a schedule is refused for what is no address of the web', async () => {
  const { message } = await refusal(foundFiles({ paths: ['file:///etc/passwd'] }), InvalidSourcesError);
  expect(message).toContain('only http and https addresses are fetched');
});
