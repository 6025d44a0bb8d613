import { ReportDiff } from '../../src/contracts/report/report-diff';
import { diffReports } from '../../src/diff/diff-reports';
import { toldReport, type Told, type ToldConflict } from './told-report';

const LOWERED = 'Walking lowered systolic pressure by 4 mmHg.';
const UNCHANGED = 'Walking did not change systolic pressure.';
const RAISED = 'Walking raised the number of falls.';
const FEWER = 'There were fewer falls with walking.';
const sources: Told['sources'] = {
  alpha: { content: `${LOWERED} ${RAISED}` },
  beta: { content: `${UNCHANGED} ${FEWER}` },
  gamma: { content: LOWERED },
};

const pressure: ToldConflict = {
  topic: 'walking and systolic pressure',
  views: [[['alpha', LOWERED]], [['beta', UNCHANGED]]],
};
const falls: ToldConflict = { topic: 'walking and falls', views: [[['alpha', RAISED]], [['beta', FEWER]]] };

function told(conflicts: ToldConflict[], more: Partial<Told> = {}): Told {
  return { sources, findings: [{ quotes: [['alpha', LOWERED]] }], conflicts, ...more };
}

function diff(before: Told, after: Told): ReportDiff {
  return ReportDiff.parse(diffReports(toldReport(before), toldReport(after)));
}

test('conflicts open and close', () => {
  const opened = diff(told([pressure]), told([falls, pressure]));
  expect(opened.conflicts).toMatchObject({ opened: [{ topic: falls.topic }], closed: [], changed: [] });
  const { conflicts } = diff(told([falls, pressure]), told([pressure]));
  const viewpoints = [
    { statement: RAISED, sources: [{ title: 'On alpha' }] },
    { statement: FEWER, sources: [{ title: 'On beta' }] },
  ];
  const closed = [{ topic: falls.topic, favoured: null, viewpoints }];
  expect(conflicts).toMatchObject({ opened: [], closed, changed: [] });
});

test('the same two sources may disagree on two things', () => {
  const found = diff(told([pressure]), told([falls]));
  const { opened, closed } = found.conflicts;
  expect([...opened, ...closed].map(({ topic }) => topic)).toEqual([falls.topic, pressure.topic]);
});

test('views in another order are no change, and whom the evidence favours is told by what it says', () => {
  const turned: ToldConflict = { ...pressure, views: [...pressure.views].reverse() };
  const favouring = (conflict: ToldConflict, view: number): Told =>
    told([{ ...conflict, resolution: `favor_viewpoint_${view}` }]);

  const { summary } = diff(favouring(pressure, 1), favouring(turned, 2));
  expect(summary.conflicts).toEqual({ opened: 0, closed: 0, changed: 0, unchanged: 1 });
  const changed = diff(favouring(pressure, 1), favouring(turned, 1)).conflicts.changed;
  expect(changed).toMatchObject([{ changes: [{ kind: 'resolution', before: LOWERED, after: UNCHANGED }] }]);
  expect(diff(told([pressure]), favouring(pressure, 2)).conflicts.changed).toMatchObject([
    { changes: [{ kind: 'resolution', before: null, after: UNCHANGED }] },
  ]);
});

test('a source that joins a side, and a view that was corrected, change the conflict', () => {
  const [lowered = [], unchanged = []] = pressure.views;
  const joined: ToldConflict = { ...pressure, views: [[...lowered, ['gamma', LOWERED]], unchanged] };
  expect(diff(told([pressure]), told([joined])).conflicts.changed).toMatchObject([
    { changes: [{ kind: 'sources', added: [{ title: 'On gamma' }], removed: [] }] },
  ]);

  const corrected = LOWERED.replace('4', '7');
  const after = told([{ ...pressure, views: [[['alpha', corrected]], unchanged] }], {
    sources: { ...sources, alpha: { content: corrected } },
    findings: [{ quotes: [['alpha', corrected]] }],
  });
  const found = diff(told([pressure]), after);
  const changes = [{ kind: 'viewpoint', before: LOWERED, after: corrected }];
  expect(found.conflicts).toMatchObject({ opened: [], closed: [], changed: [{ changes }] });
});

test('gaps open and close by what they ask, however it is written', () => {
  const asking = (...gaps: string[]): Told => told([], { gaps });
  const found = diff(
    asking('How long does it last?', 'What does it cost?'),
    asking('Who gains most?', '“How  long does it LAST?”'),
  );
  expect(found.gaps).toEqual({ opened: ['Who gains most?'], closed: ['What does it cost?'] });
  expect(found.summary.gaps).toEqual({ opened: 1, closed: 1, unchanged: 1 });
});
