import { quantitiesIn } from '../../src/core/assertions/quantities';
it('pop', () => {
  console.log(JSON.stringify(quantitiesIn('Muscle glycogen content (Figure 7b) was reduced (P < 0.05) by approximately 600 mmol/kg dry mass both before and after supplementation in creatine and placebo groups.')));
});
