/**
 * What is done to people or animals in a study, as far as its title tells. A question that names one kind (`lifestyle
 * interventions`) is not answered by a study of another (a drug, an operation).
 */
export type InterventionKind = 'lifestyle' | 'supplement' | 'medicine' | 'procedure' | 'animal';

const KINDS: readonly (readonly [InterventionKind, RegExp])[] = [
  [
    'lifestyle',
    /\b(?:lifestyle|exercis\w*|physical(?:ly)? activ\w*|train(?:ing|ed)|walk\w*|running|cycling|sport\w*|fitness|yoga|tai chi|qi ?gong|pilates|danc\w+|football|swim\w*|diet\w*|eating|food\w*|meals?|nutrition\w*|fruits?|vegetables?|nuts?|walnuts?|almonds?|weight (?:loss|management|maintenance)|calori\w+|breakfast|snack\w*|beverages?|sedentary|sitting|smok\w+|alcohol|drinking|sleep|mindful\w*|relaxation|meditation|behaviou?r\w*|coaching|counsel+ing|self-management|health promotion|worksite|rehabilitation|obesity prevention|salt|sodium|sugar\w*|fibre|fiber|dairy|milk|protein|carbohydrate|coffee|tea|wine|juice|bread|cereal|soy|fish|oil|active|treadmill|exergam\w+|balance|stretching|vegetarian|vegan|mediterranean|low-fat|energy intake)\b/i,
  ],
  [
    'supplement',
    /\b(?:supplement\w*|vitamins?|minerals?|omega-3|probiotic\w*|prebiotic\w*|synbiotic\w*|extracts?|capsules?|zinc|iron|selenium|magnesium|calcium|creatine|melatonin|polyphenols?|fatty acids?|herbal|micronutrients?|multivitamin\w*|folic|carotenoids?|amino acids?|nitrate|antioxidants?|coenzyme)\b/i,
  ],
  [
    'medicine',
    /\b\w{3,}(?:statins?|calcet|gliptin|glutide|formin|gliflozin|glitazone|prils?|sartans?|mab|olol|azole|cillin|mycin|zepam|dronate|parin|setron|triptan|oxetine|idone|caine|vir|stigmine|curium|flurane|fentanil|profen|sone|solone|terol|tropium|dipine|carbose|nib|afil|codone|morphine|xaban)\b|\b(?:drugs?|tablets?|injections?|infusions?|insulin|chemotherap\w*|vaccin\w*|an[ae]sthe\w+|anesthetics?|botulinum|antibiotic\w*|pharmaco\w*|antidepressant\w*|add-on therapy|monotherapy|hormone (?:therapy|replacement)|testosterone|growth hormone|antiretroviral\w*|corticosteroids?|inhaled|aerosol\w*|nebuli[sz]ed|intravenous\w*|aspirin|ketamine|cisplatin|safety, tolerability|pharmacokinetic\w*|dose-(?:finding|ranging|escalation)|medications?|agonists?|antagonists?|inhibitors?|blockers?|sedation|preconditioning|conditioning with)\b/i,
  ],
  [
    'procedure',
    /\b(?:surg(?:ery|ical|eries)|\w+(?:ectomy|plasty|oscopy|ostomy|oscopic)|bypass|transplant(?:ation)?|resection|stent\w*|implant\w*|catheter\w*|acupuncture|laser|radiotherap\w*|radiation|dialysis|ventilation|orthos\w+|splint\w*|electrical (?:muscle )?stimulation|stimulation|ultrasound|manipulation|mobili[sz]ation therapy|taping|device|sleeve|balloon|intubation|transfusion|screening|imaging|enteral|parenteral|hemodialysis|whole-body vibration|massage)\b/i,
  ],
  [
    'animal',
    /\b(?:rats?|mice|mouse|murine|rodents?|hamsters?|guinea pigs?|ewes|rams|fowl|ducks?|turkeys?|sows?|foals?|mares?|bovine|porcine|equine|ovine|canine|feline|zebrafish|drosophila|tilapia|trout|shrimp|steers?|dogs?|cats?|pigs?|piglets?|goats?|sheep|lambs?|cattle|cows?|calves|heifers?|horses?|broilers?|chickens?|hens|poultry|fish farming|rabbits?|monkeys?|in vitro|cell lines?)\b/i,
  ],
];

export function interventionKinds(text: string): ReadonlySet<InterventionKind> {
  return new Set(KINDS.filter(([, pattern]) => pattern.test(text)).map(([kind]) => kind));
}

/** How well the kinds of a source's title fit those of a question, 0–1; 1 where the question names none, or nothing is known. */
export function kindFit(asked: ReadonlySet<InterventionKind>, title: string): number {
  const given = interventionKinds(title);
  if (given.has('animal') && !asked.has('animal')) return 0.15;
  if (asked.size === 0) return 1;
  const fits = [...given].some((kind) => asked.has(kind));
  if (fits)
    return given.has('medicine') && !asked.has('medicine')
      ? 0.35
      : given.has('procedure') && !asked.has('procedure')
        ? 0.75
        : 1;
  if (given.size === 0) return 0.55;
  return given.has('supplement') && asked.has('lifestyle') ? 0.5 : 0.2;
}
