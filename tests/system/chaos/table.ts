import { markdownTable } from '../../support/kills/measuring-script';
import type { Disturbed } from './disturb';
import type { ModelCall } from '../../support/kills/watched-model';
import type { RepeatedCalls } from './repeated-calls';
import type { RoundOutcome } from './rounds';

/** The measurements as Markdown. */
export function tableOf(measured: {
  disturbed: readonly Disturbed[];
  runs: RoundOutcome['runs'];
  calls: readonly ModelCall[];
  repeated: RepeatedCalls;
}): string[] {
  const { disturbed, runs, calls, repeated } = measured;
  const parts = [...new Set(disturbed.map(({ part }) => part))].sort();
  return [
    ...markdownTable(
      ['what was done', 'times', 'longest until it was back', 'longest until the run went on'],
      parts.map((part) => {
        const of = disturbed.filter((one) => one.part === part);
        return [
          part,
          of.length,
          seconds(Math.max(...of.map(({ at, backAt }) => backAt - at))),
          seconds(Math.max(...of.map(({ at, goneOnAt }) => goneOnAt - at))),
        ];
      }),
    ),
    '',
    ...markdownTable(
      ['runs', 'completed', 'events', 'follower cut off', 'calls', 'cut off', 'finished calls repeated'],
      [
        [
          runs.length,
          runs.filter(({ status }) => status === 'completed').length,
          sum(runs.map(({ watched }) => watched.followed.events.length)),
          sum(runs.map(({ watched }) => watched.followed.cuts.length)),
          calls.length,
          calls.filter(({ isCutOff }) => isCutOff).length,
          `${repeated.inWindowMs.length} (answered ${Math.max(0, ...repeated.inWindowMs)} ms before the kill at most), ${repeated.whileAway.length} answered while Redis took no writes, ${repeated.unexplained.length} for no reason`,
        ],
      ],
    ),
    '',
  ];
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
