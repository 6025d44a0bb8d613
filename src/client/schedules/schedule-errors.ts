import { toldValue } from '../../core/values/told-value';

/** No schedule of this name is known to the server. */
export class ScheduleNotFoundError extends Error {
  override readonly name = 'ScheduleNotFoundError';
  constructor(readonly schedule: string) {
    super(`There is no schedule ${toldValue(schedule)}.`);
  }
}

/** There is a schedule of this name already. */
export class ScheduleExistsError extends Error {
  override readonly name = 'ScheduleExistsError';
  constructor(readonly schedule: string) {
    super(`There is a schedule "${schedule}" already. Choose another name, or delete that one first.`);
  }
}
