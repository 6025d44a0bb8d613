/** Aims, plans, hypotheses, questions and advice. */
const NO_RESULT =
  /\?\s*$|\b(?:aim(?:s|ed)?|purpose|objectives?|goals?) (?:of|was|is|were|to)\b|\bhypothes[ie][sz]\w*|\b(?:to|we) (?:determine|investigate|examine|assess|evaluate|test|explore|compare)\w* (?:the|whether|if|how|a|an)\b|\b(?:whether|if) (?!not)(?:the|a|an|there|it|this|these|they|we|[\p{L}-]+ (?:would|could|can|has|improves|reduces|affects))\b|\bremains? (?:unclear|unknown|controversial)|\b(?:is|are) (?:unknown|unclear|needed|warranted|required|recommended)\b|\bfurther (?:research|studies|investigation)|\b(?:sample size|power calculation|were powered|randomi[sz]ation was|were randomi[sz]ed to)\b/iu;
const AT_BASELINE =
  /\b(?:at|differences? (?:in|at) the) (?:baseline|study entry|the start|the outset|entry)\b|\bbaseline (?:characteristics|values?|scores?|levels?|data|demographic\w*|differences?)\b|\bpre-?(?:supplementation|treatment|intervention) (?!to\b|and\b)|\b(?:before|prior to) (?:the )?(?:intervention|treatment|supplementation|training|randomi[sz]ation),/i;
/** "from 3.1 at baseline to 2.4", "was 74 kg at baseline but fell" tell what became of it. */
const FROM_BASELINE =
  /\b(?:with|from|to|than|versus) (?:the )?pre-?(?:supplementation|treatment|intervention|training)\b|\bat (?:baseline|study entry)\b[^.;]{0,20}\b(?:to|and|but|or)\b(?:[^.;]|\.(?=\d))*\b(?:weeks?|months?|days?|end|final|follow|completion|decreas|increas|declin|remain|rose|fell)\w*|\b(?:from|versus|vs\.?|with|to|than at|since|for|relative to) (?:the )?baseline\b|\bfollow-?up\b|\bafter\b/i;
/** What somebody holds right, good or likely, and what they would have others do: two of them may differ without contradiction. */
const OPINION =
  /\b(?:we|i|(?:the |these |some |many |most |several |other )?(?:authors?|experts?|critics|advocates|proponents|opponents|supporters|commentators|clinicians)) (?:\w+ly |also |still |would |do not |don't |did not |does not |cannot |can not |can |must |therefore )*(?:believes?|think|thinks|feel|feels|argues?|advocates?|recommends?|advises?|prefers?|favou?rs?|doubts?|suspects?|hopes?|welcomes?|opposes?|endorses?|encourages?|urges?|regards?|suggests?|proposes?|(?:dis)?agrees?)(?:ed|d)?\b|\bshould\b|\bought to\b|\bin (?:my|our|their|his|her) (?:own )?(?:view|opinion|judg(?:e)?ment|eyes)\b|\b(?:arguably|hopefully)\b|\bit (?:is|seems) (?:\w+ly )?(?:right|wrong|good|bad|better|best|wise|unwise|fair|unfair|important|essential|desirable|advisable|reasonable|worthwhile|time) (?:to|that)\b|\b(?:is|are) (?:not )?(?:the right|the wrong|the best|a good|a bad|a mistake|overrated|underrated|overhyped|the future|a passing)\b/i;

/** Whether a sentence says nothing that could be so or not so: an aim, advice, an opinion, or what was so before anything was done. */
export function assertsNothing(plain: string): boolean {
  return (
    NO_RESULT.test(plain) || OPINION.test(plain) || (AT_BASELINE.test(plain) && !FROM_BASELINE.test(plain))
  );
}
