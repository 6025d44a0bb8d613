import { stemOf } from '../../language/words';

/**
 * What general words cover: a text on walking is about exercise, and about lifestyle, without saying so. Each line has the
 * words that a question may use, and the words that texts use instead. One word each, in any form of it.
 */
const LINES: readonly (readonly [asked: string, written: string])[] = [
  [
    'lifestyle behaviour behavior habit',
    'lifestyle exercise physical activity walking walk training fitness yoga tai sedentary sitting diet dietary nutrition nutritional food eating weight vegetables fruit mediterranean alcohol smoking cessation sleep stress mindfulness relaxation coaching counselling counseling self-management behavioural behavioral meal breakfast sport gym dance gardening caloric calorie intake',
  ],
  [
    'exercise workout',
    'exercise training physical activity walking running cycling aerobic resistance strength yoga tai pilates treadmill fitness sport swimming interval stretching balance dance exergame vibration',
  ],
  ['activity', 'activity exercise walking steps pedometer sedentary fitness active'],
  [
    'diet nutrition eating food',
    'diet dietary nutrition nutritional eating food meal intake calorie caloric energy protein fat carbohydrate fibre fiber fruit vegetable breakfast snack mediterranean low-fat low-carbohydrate nuts dairy beverage feeding',
  ],
  [
    'supplement supplementation',
    'supplement supplementation vitamin mineral capsule extract powder dose omega-3 creatine probiotic',
  ],
  ['weight obesity', 'weight bmi body-mass obesity obese overweight adiposity fat waist circumference'],
  [
    'old older elderly senior ageing aging',
    'older elderly aged seniors ageing aging sarcopenia frail frailty postmenopausal geriatric residential nursing retirement',
  ],
  [
    'child children kid adolescent youth teenager',
    'child children adolescent school schoolchildren youth infant toddler preschool pupil boys girls teenager',
  ],
  ['pregnancy pregnant', 'pregnancy pregnant prenatal antenatal gestational maternal'],
  [
    'muscle strength',
    'muscle muscular strength torque power grip leg-press 1rm one-repetition lean mass hypertrophy sarcopenia extension',
  ],
  [
    'heart cardiovascular',
    'heart cardiac cardiovascular coronary blood pressure hypertension cholesterol vascular endothelial arterial lipid ldl hdl triglyceride systolic diastolic',
  ],
  ['cholesterol lipid', 'cholesterol lipid ldl hdl ldl-c hdl-c triglyceride lipoprotein'],
  [
    'glucose diabetes sugar glycaemic',
    'glucose diabetes diabetic insulin hba1c glycaemic glycemic glycaemia prediabetes',
  ],
  [
    'mental mood depression anxiety wellbeing well-being',
    'mental depression depressive anxiety mood stress wellbeing well-being psychological distress affect',
  ],
  [
    'memory cognition cognitive brain',
    'memory cognition cognitive executive attention recall brain dementia mental',
  ],
  ['sleep insomnia', 'sleep insomnia sleepiness'],
  ['pain', 'pain painful ache soreness analgesic disability'],
  ['omega-3', 'omega-3 n-3 fish dha epa docosahexaenoic eicosapentaenoic polyunsaturated pufa'],
  ['vitamin_d', 'cholecalciferol ergocalciferol calcitriol 25-hydroxyvitamin 25-oh-d hydroxyvitamin'],
  ['bone fracture', 'bone fracture osteoporosis osteopenia bmd skeletal'],
  ['smoking tobacco', 'smoking smoker smoke tobacco cigarette cessation nicotine abstinence'],
  ['alcohol drinking', 'alcohol drinking drinker drinks'],
  ['drug medicine medication', 'drug medication medicine tablet dose mg therapy'],
  [
    'online digital internet web web-based',
    'online digital internet web web-based internet-based website app mobile smartphone email text message telephone',
  ],
  [
    'error exception failure',
    'error exception throw throws thrown reject rejects rejected rejection fail fails failed failure catch crash retry',
  ],
  [
    'cancel cancellation abort',
    'cancel cancels canceled cancelled cancellation cancelable abort aborts aborted abortsignal abortcontroller signal timeout terminate interrupt stop',
  ],
  [
    'cache caching',
    'cache caches cached caching memoize memoized memoization ttl lru evict eviction stale expire expiry store stored',
  ],
  ['security safety', 'security secure vulnerability sanitize escape injection attack unsafe xss'],
  [
    'performance speed fast',
    'performance speed fast faster slow slower benchmark throughput latency efficient',
  ],
  ['memory', 'memory heap buffer leak'],
  ['configuration option setting', 'configuration option options setting config default'],
];

/** Stems that stand for a word of a question, without the word itself; empty for a word that covers nothing else. */
export function coveredBy(stem: string): ReadonlySet<string> {
  return COVERED.get(stem) ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();
const COVERED = new Map<string, Set<string>>();
for (const [asked, written] of LINES) {
  for (const word of asked.split(' ')) {
    const stem = stemOf(word.replace('_', ' '));
    const covered = COVERED.get(stem) ?? new Set<string>();
    for (const other of [...asked.split(' '), ...written.split(' ')]) covered.add(stemOf(other));
    COVERED.set(stem, covered);
  }
}
