/**
 * Since 0.2: what was final in the release before is waited for, or leaves a partial report. It is asked for only where
 * something has failed, so that runs which that release began go on as they were recorded (docs/decisions/0012).
 */
export const NO_OUTAGE_FAILS_A_RUN = 'no-outage-fails-a-run';
