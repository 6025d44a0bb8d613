import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Eight short studies on one question that disagree, made up for the tests. */
const NOTES: readonly [title: string, text: string][] = [
  [
    'Evening walking and sleep in older adults',
    'In this randomised controlled trial 64 older adults in Norway walked for 12 weeks. Total sleep time increased by 38 minutes in the exercise group (p = 0.01). Sleep quality improved significantly compared with the control group.',
  ],
  [
    'Resistance training and insomnia',
    'We randomised 48 women with insomnia in Brazil to resistance training or stretching for 16 weeks. Insomnia severity decreased by 5.2 points after resistance training (p = 0.003). Daytime sleepiness did not change in either group.',
  ],
  [
    'High-intensity exercise before bedtime',
    'Twenty trained men in Japan exercised at high intensity one hour before bedtime. Total sleep time decreased by 22 minutes compared with the control night (p = 0.04). Heart rate during sleep was 6 beats per minute higher.',
  ],
  [
    'Yoga and sleep quality in office workers',
    'This cluster trial followed 120 office workers in India for 8 weeks. Yoga improved sleep quality scores by 2.1 points (p = 0.02). Perceived stress decreased by 14 % in the yoga group.',
  ],
  [
    'Aerobic exercise and sleep: no effect in adolescents',
    'We studied 210 adolescents in Spain over one school year. Aerobic exercise did not improve total sleep time (mean difference 3 minutes, p = 0.61). Sleep quality did not differ between the groups.',
  ],
  [
    'Tai chi and sleep in cancer survivors',
    'Ninety breast cancer survivors in the United States were randomised to tai chi or cognitive behavioural therapy for 12 weeks. Insomnia remission was 46 % after tai chi and 44 % after therapy. Fatigue decreased in both groups.',
  ],
  [
    'Morning exercise and sleep onset',
    'In a crossover study of 30 students in Canada, morning exercise shortened sleep onset latency by 9 minutes (p = 0.03). Total sleep time increased by 18 minutes compared with evening exercise.',
  ],
  [
    'Exercise dose and sleep duration',
    'This cohort study followed 3,400 adults in Korea for 5 years. Adults who exercised for at least 150 minutes a week slept 24 minutes longer. Exercise was associated with a 21 % lower risk of chronic insomnia.',
  ],
];

export async function writeNotes(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all(
    NOTES.map(([title, text], index) =>
      writeFile(
        path.join(folder, `note-${index + 1}.md`),
        `---\ntitle: "${title}"\nurl: https://journal.example/${index + 1}\ndate: 20${12 + index}\n---\n\n# ${title}\n\n${text}\n`,
      ),
    ),
  );
}
