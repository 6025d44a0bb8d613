import { favouredView } from '../../../src/core/evidence/favoured-view';

test.each([
  ['favor_viewpoint_1', 0],
  ['favor_viewpoint_12', 11],
  ['present_both', null],
  ['', null],
])('%s favours %s', (resolution, view) => {
  expect(favouredView(resolution)).toBe(view);
});
