import { toldValue } from '../../core/values/told-value';

export class ScheduleNotFoundError extends Error {
  override readonly name = 'ScheduleNotFoundError';
  constructor(readonly schedule: string) {
    super(`There is no schedule ${toldValue(schedule)}.`);
  }
}

export class ScheduleExistsError extends Error {
  override readonly name = 'ScheduleExistsError';
  constructor(readonly schedule: string) {
    super(`There is a schedule "${schedule}" already. Choose another name, or delete that one first.`);
  }
}
