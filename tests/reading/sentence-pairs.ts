/** Pairs of statements on one thing under the same conditions that contradict each other, each with its source's title. */
export interface SentencePair {
  what: string;
  a: string;
  b: string;
  titleA?: string;
  titleB?: string;
}

const MAGNESIUM = 'Effect of magnesium supplementation on sleep quality in nurses: a randomised trial';
const CYCLING = 'Effects of commuter cycling on blood pressure: a controlled trial';

export const contradicting: SentencePair[] = [
  {
    what: 'a percentage',
    a: 'Commuter cycling lowered systolic blood pressure by 4% after ten weeks.',
    b: 'Commuter cycling lowered systolic blood pressure by 11% after ten weeks.',
    titleA: CYCLING,
  },
  {
    what: 'an absolute change',
    a: 'Magnesium raised total sleep time by 12 minutes compared with placebo.',
    b: 'Magnesium raised total sleep time by 31 minutes compared with placebo.',
    titleA: MAGNESIUM,
  },
  {
    what: 'a count',
    a: 'The town of Harwell has 2,349 inhabitants according to the latest count.',
    b: 'The town of Harwell has 3,912 inhabitants according to the latest count.',
  },
  {
    what: 'a year',
    a: 'The old lighthouse at Pendeen was lit for the first time in 1900.',
    b: 'The old lighthouse at Pendeen was lit for the first time in 1912.',
  },
  {
    what: 'a ratio',
    a: 'Night work was associated with a higher risk of accidents (odds ratio 1.4).',
    b: 'Night work was associated with a higher risk of accidents (odds ratio 2.9).',
  },
  {
    what: 'a size',
    a: 'The compressed index file of the search library takes 14 MB on disk.',
    b: 'The compressed index file of the search library takes 41 MB on disk.',
  },
  {
    what: 'a mean difference',
    a: 'Mean difference in grip strength between creatine and placebo was 2.1 kg.',
    b: 'Mean difference in grip strength between creatine and placebo was 5.6 kg.',
  },
  {
    what: 'a share',
    a: 'In the survey 62% of small firms reported that remote work raised productivity.',
    b: 'In the survey 26% of small firms reported that remote work raised productivity.',
  },
  {
    what: 'a number in other words',
    a: 'Commuter cycling reduced resting heart rate by 3%.',
    b: 'Resting heart rate fell by 9% with commuter cycling.',
    titleA: CYCLING,
  },
  {
    what: 'a rate with a decimal point',
    a: 'The unemployment rate in the valley was 4.5 % at the end of the year.',
    b: 'The unemployment rate in the valley was 7.5 % at the end of the year.',
  },
  {
    what: 'increased against decreased',
    a: 'Shift rotation increased absenteeism in the plant.',
    b: 'Shift rotation decreased absenteeism in the plant.',
  },
  {
    what: 'higher against lower',
    a: 'Grain yield was higher with winter cover crops than with bare soil.',
    b: 'Grain yield was lower with winter cover crops than with bare soil.',
  },
  {
    what: 'improved against worsened',
    a: 'Mindfulness training improved attention in office workers.',
    b: 'Mindfulness training worsened attention in office workers.',
  },
  {
    what: 'rise against fall, as nouns',
    a: 'The new toll led to a rise in bus ridership in the city centre.',
    b: 'The new toll led to a fall in bus ridership in the city centre.',
  },
  {
    what: 'direction in other words',
    a: 'Magnesium significantly increased sleep efficiency.',
    b: 'Sleep efficiency was significantly reduced by magnesium.',
    titleA: MAGNESIUM,
  },
  {
    what: 'longer against shorter',
    a: 'Reaction times were longer after caffeine than after placebo.',
    b: 'Reaction times were shorter after caffeine than after placebo.',
  },
  {
    what: 'positively against negatively',
    a: 'Class size was positively associated with teacher turnover.',
    b: 'Class size was negatively associated with teacher turnover.',
  },
  {
    what: 'higher risk against lower risk',
    a: 'Late bedtimes were associated with a higher risk of falls.',
    b: 'Late bedtimes were associated with a lower risk of falls.',
  },
  {
    what: 'improved pain against increased pain',
    a: 'Heat packs reduced neck pain in drivers.',
    b: 'Heat packs increased neck pain in drivers.',
  },
  {
    what: 'greater against smaller',
    a: 'Weight loss was greater with the written diary than without it.',
    b: 'Weight loss was smaller with the written diary than without it.',
  },
  {
    what: 'an effect against none',
    a: 'Magnesium significantly improved sleep quality.',
    b: 'Magnesium had no significant effect on sleep quality.',
    titleA: MAGNESIUM,
  },
  {
    what: 'did not',
    a: 'Zinc lozenges shortened the duration of colds.',
    b: 'Zinc lozenges did not shorten the duration of colds.',
  },
  {
    what: 'no difference against a difference',
    a: 'Grip strength was significantly greater in the creatine group than in the placebo group.',
    b: 'There was no significant difference in grip strength between the creatine and placebo groups.',
    titleA: 'Effect of creatine on grip strength',
  },
  {
    what: 'failed to',
    a: 'The tutoring programme raised reading scores in third graders.',
    b: 'The tutoring programme failed to raise reading scores in third graders.',
  },
  {
    what: 'unchanged',
    a: 'Resting heart rate decreased significantly with commuter cycling.',
    b: 'Resting heart rate remained unchanged with commuter cycling.',
    titleA: CYCLING,
  },
  {
    what: 'yes and no',
    a: 'The parser is thread-safe in its default configuration.',
    b: 'The parser is not thread-safe in its default configuration.',
  },
  {
    what: 'associated or not',
    a: 'Screen time was associated with sleep duration in teenagers.',
    b: 'Screen time was not associated with sleep duration in teenagers.',
  },
  {
    what: 'neither … nor',
    a: 'Neither magnesium nor zinc improved sleep quality.',
    b: 'Magnesium significantly improved sleep quality.',
    titleA: 'Effects of magnesium on sleep quality',
    titleB: MAGNESIUM,
  },
  {
    what: 'effective or not',
    a: 'Reminder letters were effective in increasing vaccination rates.',
    b: 'Reminder letters did not increase vaccination rates.',
  },
  {
    what: 'did not differ',
    a: 'Triglycerides were significantly lower with oats than with the control breakfast.',
    b: 'Triglycerides did not differ between oats and the control breakfast.',
  },
  {
    what: 'one of several outcomes',
    a: 'Rowing increased aerobic capacity, leg strength and balance.',
    b: 'Rowing increased aerobic capacity but had no effect on balance.',
    titleA: 'Effects of rowing on fitness',
  },
  {
    what: 'no association in other words',
    a: 'There was no association between coffee intake and blood pressure.',
    b: 'Coffee intake was associated with higher blood pressure.',
  },
  {
    what: 'a p value above the limit',
    a: 'Compared with placebo, zinc reduced wound area (p = 0.01).',
    b: 'Compared with placebo, zinc reduced wound area slightly (p = 0.41).',
  },
];

/** Pairs that say the same of the same under conditions of which only one can be right. */
export const conditional: SentencePair[] = [
  {
    what: 'independent of, dependent on',
    a: 'Rowing improved insulin sensitivity independent of weight loss.',
    b: 'Rowing improved insulin sensitivity dependent on weight loss.',
  },
  {
    what: 'regardless of, depending on',
    a: 'Zinc shortened the duration of colds, regardless of the season.',
    b: 'Zinc shortened the duration of colds, depending on the season.',
  },
  {
    what: 'regardless of one of two, in front',
    a: 'Irrespective of age and sex, music lessons improved memory.',
    b: 'Music lessons improved memory depending on age.',
  },
  {
    what: 'the dependence is what is said',
    a: 'The rise in sleep time was independent of baseline magnesium.',
    b: 'The rise in sleep time depended on baseline magnesium.',
  },
  {
    what: 'in other words',
    a: 'Magnesium significantly improved sleep quality irrespective of caffeine intake.',
    b: 'Depending on caffeine intake, sleep quality was improved by magnesium.',
    titleA: MAGNESIUM,
  },
  {
    what: 'also after adjustment, but not after adjustment',
    a: 'Night work was associated with a higher risk of accidents, even after adjusting for sleep duration.',
    b: 'Night work was associated with a higher risk of accidents, but not after adjusting for sleep duration.',
  },
  {
    what: 'before, but not after, adjustment',
    a: 'After adjustment for body weight, rowing raised energy expenditure.',
    b: 'Before, but not after, adjustment for body weight, rowing raised energy expenditure.',
  },
  {
    what: 'here but not there, there but not here',
    a: 'Tutoring raised reading scores at 6 months but not at 24 months.',
    b: 'Tutoring raised reading scores at 24 months but not at 6 months.',
  },
  {
    what: 'here and there, here but not there',
    a: 'Nitrate raised exercise capacity in normoxia and in hypoxia.',
    b: 'Nitrate raised exercise capacity in normoxia but not in hypoxia.',
  },
  {
    what: 'two times, one of them',
    a: 'Pain scores fell with heat packs at 4 and 16 weeks.',
    b: 'Pain scores fell with heat packs at 4 but not at 16 weeks.',
  },
  {
    what: 'during but not after',
    a: 'Oat bars lowered blood glucose during but not after exercise.',
    b: 'Oat bars lowered blood glucose after but not during exercise.',
  },
  {
    what: 'only, not only',
    a: 'Cover crops increased soil carbon only in sandy soil.',
    b: 'Cover crops increased soil carbon not only in sandy soil.',
  },
  {
    what: 'with or without, only with',
    a: 'Rowing increased leg strength with or without a protein drink.',
    b: 'Rowing increased leg strength only with a protein drink.',
  },
  {
    what: 'before, after',
    a: 'Caffeine taken before breakfast raised alertness in drivers.',
    b: 'Caffeine taken after breakfast raised alertness in drivers.',
  },
  {
    what: 'presence, absence',
    a: 'Zinc reduced wound area in the presence of infection.',
    b: 'Zinc reduced wound area in the absence of infection.',
  },
];

/** Pairs that differ in wording, people, dose, duration, comparison or subject only: no contradiction. */
export const compatible: SentencePair[] = [
  {
    what: 'people: how many, told by more than a noun',
    a: 'Walking significantly improved sleep quality in 30 older adults compared with the control group (p = 0.01).',
    b: 'Walking significantly improved sleep quality in 90 older adults compared with the control group (p = 0.03).',
    titleA: 'A trial of walking and sleep',
  },
  {
    what: 'wording: synonyms',
    a: 'Magnesium significantly reduced stress scores compared with placebo.',
    b: 'Relative to placebo, magnesium led to a decrease in stress scores.',
    titleA: MAGNESIUM,
  },
  {
    what: 'wording: passive',
    a: 'Cover crops increased soil carbon.',
    b: 'Soil carbon was increased by cover crops.',
  },
  {
    what: 'wording: order',
    a: 'After twelve weeks, leg strength increased in the rowing group.',
    b: 'Leg strength in the rowing group increased after twelve weeks.',
    titleA: 'Effects of rowing on strength',
  },
  {
    what: 'wording: two ways to say nothing changed',
    a: 'Body weight did not change with magnesium.',
    b: 'There was no significant effect of magnesium on body weight.',
    titleA: MAGNESIUM,
  },
  {
    what: 'wording: improved pain is reduced pain',
    a: 'Heat packs improved neck pain in drivers.',
    b: 'Heat packs reduced neck pain in drivers.',
  },
  {
    what: 'wording: double negation',
    a: 'Cycling was no less effective than medication in lowering blood pressure.',
    b: 'Cycling and medication were equally effective in lowering blood pressure.',
  },
  {
    what: 'rounding',
    a: 'Sleep time rose by 12.4% with magnesium.',
    b: 'Sleep time rose by 12% with magnesium.',
    titleA: MAGNESIUM,
  },
  {
    what: 'about',
    a: 'The town of Harwell has about 2,300 inhabitants today.',
    b: 'The town of Harwell has 2,349 inhabitants today.',
  },
  {
    what: 'another p value',
    a: 'Zinc reduced wound area compared with placebo (p = 0.01).',
    b: 'Zinc reduced wound area compared with placebo (p = 0.03).',
  },
  {
    what: 'another sample',
    a: 'Zinc reduced wound area in 40 patients.',
    b: 'Zinc reduced wound area in 112 patients.',
  },
  {
    what: 'people: women and men',
    a: 'Whey protein increased lean mass in women.',
    b: 'Whey protein did not increase lean mass in men.',
  },
  {
    what: 'people: children and older adults',
    a: 'Music lessons improved memory in children.',
    b: 'Music lessons had no effect on memory in older adults.',
  },
  {
    what: 'people: healthy and ill',
    a: 'Fish oil lowered triglycerides in patients with diabetes.',
    b: 'Fish oil did not lower triglycerides in healthy volunteers.',
  },
  {
    what: 'people: two illnesses',
    a: 'Yoga reduced fatigue in patients with multiple sclerosis.',
    b: 'Yoga did not reduce fatigue in patients with heart failure.',
  },
  {
    what: 'people: animals',
    a: 'The extract reduced body weight in mice.',
    b: 'The extract did not reduce body weight in adults.',
  },
  {
    what: 'people: only in the title',
    a: 'Body weight decreased significantly with the supplement.',
    b: 'Body weight did not change with the supplement.',
    titleA: 'Effect of chromium on body weight in adolescents',
    titleB: 'Effect of chromium on body weight in elderly women',
  },
  {
    what: 'people: trained and pregnant',
    a: 'Iron raised haemoglobin in female athletes.',
    b: 'Iron did not raise haemoglobin in pregnant women.',
  },
  {
    what: 'dose',
    a: 'Zinc at 10 mg/day reduced wound area.',
    b: 'Zinc at 50 mg/day did not reduce wound area.',
  },
  {
    what: 'dose and number',
    a: 'A dose of 2 g daily lowered LDL cholesterol by 6%.',
    b: 'A dose of 4 g daily lowered LDL cholesterol by 11%.',
    titleA: 'Plant stanols and LDL cholesterol',
    titleB: 'Plant stanols and LDL cholesterol',
  },
  {
    what: 'dose in front',
    a: 'Supplementation with 400 IU of vitamin D daily had no effect on falls.',
    b: 'Supplementation with 2,000 IU of vitamin D daily reduced falls.',
  },
  {
    what: 'duration',
    a: 'Rowing had no effect on leg strength after 2 weeks.',
    b: 'Rowing increased leg strength after 6 months.',
    titleA: 'Effects of rowing on strength',
  },
  {
    what: 'time point',
    a: 'At 3 months, tutoring had raised reading scores.',
    b: 'At 24 months, tutoring had not raised reading scores.',
  },
  {
    what: 'year',
    a: 'In 2010 the town of Harwell had 2,349 inhabitants.',
    b: 'In 2020 the town of Harwell had 3,912 inhabitants.',
  },
  {
    what: 'another treatment',
    a: 'Magnesium improved sleep quality.',
    b: 'Melatonin did not improve sleep quality.',
  },
  {
    what: 'another treatment, told by the title alone',
    a: 'Body weight decreased significantly in the intervention group.',
    b: 'Body weight did not decrease in the intervention group.',
    titleA: 'Effect of green tea on body weight',
    titleB: 'Effect of telephone coaching on body weight',
  },
  {
    what: 'a combination',
    a: 'Vitamin D combined with calcium increased bone density.',
    b: 'Vitamin D did not increase bone density.',
  },
  {
    what: 'another outcome',
    a: 'Rowing increased leg strength.',
    b: 'Rowing did not increase bone density.',
  },
  {
    what: 'an outcome of a similar name',
    a: 'Oats lowered LDL cholesterol.',
    b: 'Oats did not lower HDL cholesterol.',
  },
  {
    what: 'mass with and without fat',
    a: 'Rowing reduced fat mass.',
    b: 'Rowing did not reduce fat-free mass.',
  },
  {
    what: 'against others and against oneself',
    a: 'Leg strength increased from baseline in the rowing group.',
    b: 'Leg strength did not differ between the rowing and control groups.',
    titleA: 'Effects of rowing on strength',
  },
  {
    what: 'another comparator',
    a: 'Rowing was better than swimming for leg strength.',
    b: 'Leg strength did not differ between rowing and cycling.',
  },
  {
    what: 'the control group only',
    a: 'Magnesium improved sleep quality.',
    b: 'Sleep quality did not improve in the control group.',
    titleA: MAGNESIUM,
    titleB: MAGNESIUM,
  },
  {
    what: 'a guess',
    a: 'Zinc may shorten the duration of colds.',
    b: 'Zinc did not shorten the duration of colds.',
  },
  {
    what: 'an opinion',
    a: 'Remote work is the future of small firms.',
    b: 'Remote work is a passing fashion.',
  },
  {
    what: 'an aim',
    a: 'The aim of the study was to determine whether zinc shortens colds.',
    b: 'Zinc did not shorten colds.',
  },
  {
    what: 'a low and a high amount',
    a: 'A low-fat diet reduced body weight.',
    b: 'A high-fat diet did not reduce body weight.',
  },
  {
    what: 'conditions: two ways to say whatever',
    a: 'Zinc shortened the duration of colds regardless of the season.',
    b: 'Zinc shortened the duration of colds independently of the season.',
  },
  {
    what: 'conditions: on different things',
    a: 'Zinc shortened the duration of colds regardless of the season.',
    b: 'Zinc shortened the duration of colds, depending on the dose.',
  },
  {
    what: 'conditions: only one of them tells one',
    a: 'Night work was associated with a higher risk of accidents, even after adjusting for sleep duration.',
    b: 'Night work was associated with a higher risk of accidents.',
  },
  {
    what: 'conditions: here but not there, and here',
    a: 'Tutoring raised reading scores at 6 months but not at 24 months.',
    b: 'Tutoring raised reading scores at 6 months.',
  },
  {
    what: 'conditions: before and after',
    a: 'Caffeine taken before and after breakfast raised alertness in drivers.',
    b: 'Caffeine taken after breakfast raised alertness in drivers.',
  },
  {
    what: 'conditions: another outcome',
    a: 'Rowing improved insulin sensitivity independent of weight loss.',
    b: 'Rowing improved blood pressure dependent on weight loss.',
  },
  {
    what: 'people: with and without an illness',
    a: 'Whey protein increased lean mass in adults with diabetes.',
    b: 'Whey protein did not increase lean mass in adults without diabetes.',
  },
  {
    what: 'people: another illness beside the same word',
    a: 'Rowing improved balance in treated patients with asthma.',
    b: 'Rowing did not improve balance in treated patients with arthritis.',
  },
  {
    what: 'people: types of an illness',
    a: 'Rowing improved glucose control in patients with type 1 diabetes.',
    b: 'Rowing did not improve glucose control in patients with type 2 diabetes.',
  },
  {
    what: 'people: told apart by the titles, whatever the sentences share',
    a: 'In the treated patients, body weight decreased significantly with chromium.',
    b: 'In the treated patients, body weight did not change with chromium.',
    titleA: 'Effect of chromium on body weight in adolescents',
    titleB: 'Effect of chromium on body weight in elderly women',
  },
  {
    what: 'dose: in brackets',
    a: 'Creatine (5 g/day for 8 weeks) increased grip strength.',
    b: 'Creatine (20 g/day for 8 weeks) did not increase grip strength.',
  },
  {
    what: 'dose: how often',
    a: 'Rowing 2 days/week did not increase leg strength.',
    b: 'Rowing 5 days/week increased leg strength.',
  },
  {
    what: 'wording: numbers that change places with their clauses',
    a: 'Sleep time rose by 12% with magnesium and by 3% with placebo.',
    b: 'Sleep time rose by 3% with placebo and by 12% with magnesium.',
    titleA: MAGNESIUM,
  },
];
