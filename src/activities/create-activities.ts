import { answerActivities, type AnswerActivities } from './answer/answer-activities';
import { briefActivities, type BriefActivities } from './brief/brief-activities';
import { scheduleActivities, type ScheduleActivities } from './schedule/schedule-activities';
import { reportActivities, type ReportActivities } from './report/report-activities';
import type { ActivityPorts } from './shared/ports';
import { sharedActivities, type SharedActivities } from './shared/shared-activities';
import { bindTo } from './shared/under-temporal';

/** The activities of every kind of run, bound to what they need. */
export function createActivities(
  ports: ActivityPorts,
): SharedActivities & ReportActivities & BriefActivities & AnswerActivities & ScheduleActivities {
  const bind = bindTo(ports);
  return {
    ...sharedActivities(bind),
    ...reportActivities(bind),
    ...briefActivities(bind),
    ...answerActivities(bind),
    ...scheduleActivities(bind),
  };
}
