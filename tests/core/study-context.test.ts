import { studyContextOf } from '../../src/core/study-context';
import { splitPassages } from '../../src/language/passages';

function contextOf(title: string, ...lines: string[]) {
  return studyContextOf({ sourceId: 's', title, passages: splitPassages(lines.join('\n')) });
}

describe('who was studied, where, how and how long', () => {
  it('is told in the words of the title and the abstract', () => {
    const context = contextOf(
      'Rowing and strength: a randomised controlled trial',
      'ABSTRACT.METHODS:',
      'Forty-two sedentary adults with type 2 diabetes were randomised to a 12-week rowing programme or to usual care.',
      'The trial was conducted at a community centre in Bergen, Norway.',
    );
    expect(context).toEqual({
      sourceId: 's',
      participants: 'forty-two sedentary adults with type 2 diabetes',
      place: 'Norway',
      design: 'randomised controlled trial',
      duration: '12 weeks',
    });
  });

  it.each([
    ['those who were screened', 'We screened 300 adults with diabetes who were randomised later.'],
    ['a group of the sample', 'In each group 20 women were randomly allocated to rowing.'],
    ['both arms apart', '26 patients were randomised to placebo and 26 to rowing.'],
    ['people of another kind beside them', 'We recruited 150 boys and 148 girls from ten schools.'],
    ['the planned sample', 'A sample size of 80 patients was required to be randomised.'],
    ['two numbers of equal standing', '80 women were randomised to rowing. 64 women were randomised again.'],
  ])('leaves the participants out where the number is of %s', (_name, sentence) => {
    expect(contextOf('Rowing', 'ABSTRACT.METHODS:', sentence).participants).toBeUndefined();
  });

  it.each([
    ['7,216 men and women', 'We enrolled 7,216 men and women in the trial.'],
    ['ten patients', 'Ten patients with mild to moderate myasthenia gravis participated in the study.'],
  ])('tells the whole sample, and no half of a phrase: %s', (participants, sentence) => {
    expect(contextOf('Rowing', 'ABSTRACT.METHODS:', sentence).participants).toBe(participants);
  });

  it('does not take a maker’s country or an earlier study for the place', () => {
    const context = contextOf(
      'Rowing',
      'BODY.METHODS:',
      'Participants rowed on ergometers (Concept, Vermont, USA).',
      'A previous study in Spain recruited patients with pain.',
    );
    expect(context.place).toBeUndefined();
  });

  it('does not take a follow-up for the intervention, nor choose between two lengths', () => {
    expect(
      contextOf('Rowing', 'ABSTRACT.METHODS:', 'Strength was tested after a follow-up of 12 months.')
        .duration,
    ).toBeUndefined();
    expect(
      contextOf('Rowing', 'ABSTRACT.METHODS:', 'Adults rowed for 6 weeks.', 'Others had a 12-week programme.')
        .duration,
    ).toBeUndefined();
  });

  it('says nothing of a text that is no study', () => {
    expect(contextOf('queue', '# queue', 'A queue that retries failed tasks.')).toEqual({ sourceId: 's' });
  });
});
