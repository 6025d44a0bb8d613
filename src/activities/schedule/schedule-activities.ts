import type { ScheduledResult } from '../../contracts/schedule/scheduled-start';
import type { ActivityOf, Bind } from '../shared/under-temporal';
import { findMaterial, type FindMaterialInput, type FoundMaterial } from './find-material';
import { keepResult, type KeepResultInput } from './keep-result';

/** What is done for a firing of a schedule, by the names that histories know. */
export interface ScheduleActivities {
  findMaterial: ActivityOf<FindMaterialInput, FoundMaterial>;
  keepResult: ActivityOf<KeepResultInput, ScheduledResult>;
}

export function scheduleActivities(bind: Bind): ScheduleActivities {
  return { findMaterial: bind(findMaterial), keepResult: bind(keepResult) };
}
