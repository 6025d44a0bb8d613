import { ApplicationFailure } from '@temporalio/common';
import { asActivityFailure } from '../../../src/activities/shared/activity-failure';
import { DatabaseOpenError, DatabaseWriteError } from '../../../src/stores/postgres/database-errors';

test.each([
  [new DatabaseOpenError('PostgreSQL at x', new Error('gone')), 'StoreOpenError'],
  [new DatabaseWriteError('PostgreSQL at x', new Error('gone')), 'StoreWriteError'],
])('Temporal is told an error by its own name, whatever its class is called: %s', (error, type) => {
  const told = asActivityFailure(error);
  expect(told).toBeInstanceOf(ApplicationFailure);
  expect(told).toMatchObject({ type, nonRetryable: false, message: error.message });
});
