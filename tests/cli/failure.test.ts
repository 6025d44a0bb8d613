import { describeFailure } from '../../src/cli/failures/describe-failure';
import { reasonInWords } from '../../src/cli/failures/server-silence';
import { FolderError } from '../../src/platform/folder-error';
import { CorruptArtifactError } from '../../src/stores/errors/corrupt-artifact-error';
import { StoreDamagedError } from '../../src/stores/errors/store-damaged-error';
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

test.each([
  new CorruptArtifactError('a'.repeat(64)),
  new StoreDamagedError('Redis at redis://localhost', 'the key events:run is a list and should be a stream'),
  new FolderError('/proc/x', Object.assign(new Error('ENOENT'), { code: 'ENOENT' })),
])('what is broken outside the program is no mistake of its own: $name', (error) => {
  const { code, message } = describeFailure(error);
  expect(code).not.toBe('unexpected');
  expect(message).toBe(error.message);
});
