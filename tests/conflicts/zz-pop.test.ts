import { assertionOf } from '../../src/core/assertions/assertion-of';
import { compareAssertions } from '../../src/core/conflicts/compare-assertions';
import { conditionDifference, sameButForConditions } from '../../src/core/conflicts/compare-conditions';
it('pop', () => {
  for (const [x, y] of [
    [
      'In the present study, bradykinin increased only 45 min after exercise performed below LT, and differences were not observed between exercise sessions.',
      'In the present study, bradykinin increased only 45 min before exercise performed below LT, and differences were not observed between exercise sessions.',
    ],
    [
      'After training, participants in the balance-based exergaming group showed significant improvements in LOS performance, and in the eyes-closed condition of the OLS test.',
      'After training, participants in the balance-based exergaming group showed significant improvements in LOS performance but not in the eyes-closed condition of the OLS test.',
    ],
    [
      'ESAT6 induced – IFN- γ responses at 0 and 12 weeks did not differ in either the placebo or 25-hydroxyvitamin D treatment arms.',
      'ESAT6 induced – IFN- γ responses at 0 but not at 12 weeks did not differ in either the placebo or 25-hydroxyvitamin D treatment arms.',
    ],
    [
      'There were no significant differences at 3 and 6 months in mean blood pressure and total/HDL/LDL levels.',
      'There were no significant differences at 3 but not at 6 months in mean blood pressure and total/HDL/LDL levels.',
    ],
    [
      'Cognitive training improved memory regardless of which product they were taking.',
      'Cognitive training improved memory depending on which product they were taking.',
    ],
  ] as const) {
    const a = assertionOf(x, { title: 't' });
    const b = assertionOf(y, { title: 't' });
    console.log(
      JSON.stringify(a?.circumstances),
      JSON.stringify(b?.circumstances),
      JSON.stringify(a?.frame.polarity),
      JSON.stringify(b?.frame.polarity),
      a && b && JSON.stringify(conditionDifference(a, b)),
      a && b && sameButForConditions(a, b),
      a && b && compareAssertions(a, b).reason,
    );
  }
});
