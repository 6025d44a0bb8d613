import { inlineLabel, isInAbstract, zoneOf } from '../../../src/core/worth/zones';

describe('the zone of a passage', () => {
  it.each([
    [['ABSTRACT.RESULTS'], 'results'],
    [['ABSTRACT.METHODS AND FINDINGS'], 'methods'],
    [['BODY.2. MATERIALS AND METHODS.2.1. PARTICIPANTS'], 'methods'],
    [['BODY.RESULTS.BASELINE CHARACTERISTICS'], 'participants'],
    [['BODY.RESULTS', 'BODY.LEG PRESS'], 'results'],
    [['BODY.DISCUSSION.CONCLUSIONS'], 'conclusions'],
    [['BODY.DISCUSSION', 'STUDY LIMITATIONS'], 'limitations'],
    [['BODY.COMPETING INTERESTS'], 'back-matter'],
    [['Article', 'References'], 'references'],
    [['3. Results and discussion'], 'discussion'],
    [['my-package', 'Installation'], 'instructions'],
    [['my-package', 'Caching'], 'unknown'],
    [[], 'unknown'],
  ])('of %j is %s', (headings, zone) => {
    expect(zoneOf(headings)).toBe(zone);
  });

  it('knows the abstract, and labels written into the text', () => {
    expect(isInAbstract(['ABSTRACT.RESULTS'])).toBe(true);
    expect(isInAbstract(['BODY.RESULTS'])).toBe(false);
    expect(inlineLabel('Results: Walking helped.')).toEqual({ length: 9, zone: 'results' });
    expect(inlineLabel('Conclusions. Walking helps.')?.zone).toBe('conclusions');
    expect(inlineLabel('Results showed that walking helped.')).toBeNull();
  });
});
