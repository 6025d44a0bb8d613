import { assertionOf } from '../../src/core/assertions/assertion-of';
import { compareAssertions } from '../../src/core/conflicts/compare-assertions';
it('pop', () => {
  for (const [x,y,t,u] of [
   ['There was a significant increase in total energy and protein intake in the high protein group.','There was a significant decrease in total energy and protein intake in the high protein group.','The effects of consuming a high protein diet (4.4 g/kg/d) on body composition in resistance-trained individuals','The effects of consuming a high protein diet (4.4 g/kg/d) on body composition in resistance-children with cystic fibrosis'],
   ['The decrease of the glutathione red-ox ratio was significant in both groups: the study Group (from 0.15 ± 0.01 to 0.11 ± 0.04 μg/ml, p < 0.01) and control (from 0.14 ± 0.03 to 0.11 ± 0.02 μg/ml, p < 0.01) in the goat milk trial.','The increase of the glutathione red-ox ratio was significant in both groups: the study Group (from 0.15 ± 0.01 to 0.11 ± 0.04 μg/ml, p < 0.01) and control (from 0.14 ± 0.03 to 0.11 ± 0.02 μg/ml, p < 0.01) in the goat milk trial.','Evaluation of the functional efficacy of an antioxidative probiotic in healthy volunteers','Evaluation of the functional efficacy of an antioxidative probiotic in children with cystic fibrosis'],
   ['Symptoms improved by 12 kg with yoga in the classes.','Symptoms did not improve with yoga in the classes.','Yoga in healthy volunteers','Yoga in children with cystic fibrosis'],
   ['In this investigation, T fell in patients with asthma after yoga.','In this investigation, T fell in patients without asthma after yoga.','Yoga in lungs','Yoga in lungs'],
  ] as const) {
    const a = assertionOf(x, {title: t}); const b = assertionOf(y, {title: u});
    console.log(JSON.stringify(a?.conditions.population), JSON.stringify(b?.conditions.population), a&&b&&compareAssertions(a,b));
  }
});
