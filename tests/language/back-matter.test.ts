import { isBackMatter } from '../../src/language/back-matter';

describe('back matter', () => {
  it.each([
    [['Article', 'References']],
    [['References', 'Trials']],
    [['BODY.COMPETING INTERESTS']],
    [['BODY.FUNDING AND ACKNOWLEDGEMENTS']],
    [['BODY.AUTHORS’ CONTRIBUTIONS']],
    [['7. List of abbreviations']],
    [['Conflict of interest statement']],
    [['Availability of data and materials', 'Data availability']],
    [['See also']],
    [['LICENSE']],
  ])('is what stands under %j', (headings) => {
    expect(isBackMatter(headings)).toBe(true);
  });

  it.each([
    [[]],
    [['ABSTRACT.RESULTS']],
    [['BODY.2. MATERIALS AND METHODS.2.1. PARTICIPANTS']],
    [['Funding of small firms', 'Who lends']],
    [['Conflicts']],
    [['Reference levels']],
    [['Licences for software']],
    [['Notes']],
    [['参考']],
  ])('is not what stands under %j', (headings) => {
    expect(isBackMatter(headings)).toBe(false);
  });
});
