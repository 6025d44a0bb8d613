import { VerifiedReport } from '../../src/contracts/verification/verified-report';
import { type GivenSource, verifyReport } from '../../src/verification/report/verify-report';

describe('verifyReport', () => {
  const SLEEP: GivenSource = {
    id: 'sleep',
    title: 'Evening walking and sleep in older adults',
    author: 'Doe, Jane; Roe, Richard; Poe, Pat',
    publishedAt: '2017-03-01',
    url: 'https://example.org/sleep',
    content:
      'In this randomised controlled trial 64 older adults in Norway walked for 12 weeks.\n\n' +
      'Total sleep time increased by 38 minutes in the exercise group (p = 0.01). Walking did not reduce daytime sleepiness. ' +
      'The authors suggest that walking lowers the blood pressure of older adults.',
  };

  const YOGA: GivenSource = {
    id: 'yoga',
    title: 'Yoga and sleep quality in office workers',
    url: 'https://www.example.org/yoga/',
    content: 'Yoga improved sleep quality scores by 2.1 points (p = 0.02) among 120 office workers in India.',
  };

  const LIST = `## Sources

1. Doe, Jane. “Evening walking and sleep in older adults.” 2017. <https://example.org/sleep?utm_source=feed>
2. “Yoga and sleep quality in office workers.” <https://example.org/yoga>
`;

  function verified(
    text: string,
    sources: readonly GivenSource[] = [SLEEP, YOGA],
    list = LIST,
  ): VerifiedReport {
    return VerifiedReport.parse(verifyReport(`# On sleep\n\n${text}\n\n${list}`, sources));
  }

  describe('a sentence that counts what its sources report', () => {
    const THREE = [
      {
        ...SLEEP,
        content:
          'Walking improved total sleep time significantly compared with the control group (p = 0.01).',
      },
      { ...YOGA, content: 'Yoga improved sleep quality scores significantly, by 2.1 points (p = 0.02).' },
      {
        id: 'school',
        title: 'Aerobic exercise in adolescents',
        content: 'There was no significant difference in sleep quality between the groups (p = 0.61).',
      },
    ];
    const LIST_OF_THREE = `${LIST}3. “Aerobic exercise in adolescents.”\n`;
    const counted = (all: number, effect: string, none: string): VerifiedReport =>
      verified(`${all} of 9 sources are clear: ${effect}, ${none}.`, THREE, LIST_OF_THREE);

    test('is supported where so many of them do', () => {
      const { claims } = counted(3, '2 report an effect [1][2]', '1 none [3]');
      expect(claims).toMatchObject([{ verdict: 'supported', code: 'counted' }]);
    });

    test('is so in the words of releases before', () => {
      const text =
        'Of 3 sources with a countable result here (9 are cited), 2 report an effect [1][2] and 1 none [3].';
      expect(verified(text, THREE, LIST_OF_THREE).claims).toMatchObject([
        { verdict: 'supported', code: 'counted' },
      ]);
    });

    test.each([
      [3, '1 reports an effect [1]', '2 none [2][3]'],
      [4, '2 report an effect [1][2]', '1 none [3]'],
      [2, '2 report an effect [1][2]', '0 none [3]'],
    ])('is not where it does not come out: of %i, %s, %s', (all, effect, none) => {
      expect(counted(all, effect, none).claims.map(({ verdict }) => verdict)).not.toContain('supported');
    });
  });
});
