import { describeFailure } from '../../src/cli/failures/describe-failure';
import { reasonInWords } from '../../src/cli/failures/server-silence';
import { RunClosedError } from '../../src/client/run-errors';

test('the refusal of an ended id names the command that shows its report', () => {
  expect(describeFailure(new RunClosedError('changes')).message).toMatch(/show changes.*--id.*--again/);
});

test.each([4, 14])('code %d of gRPC reads as a server that does not answer, also below a wrapper', (code) => {
  const raw = Object.assign(new Error('Deadline exceeded after 0.000s,waiting for metadata filters'), {
    code,
  });
  const wrapped = new Error('Failed to query', { cause: raw });
  expect(reasonInWords(wrapped)).toBe('the Temporal server does not answer');
  expect(describeFailure(wrapped)).toMatchObject({ code: 'server-unreachable', exitCode: 3 });
});
