/** What a thing does, in the third person; their capitalised form at the beginning has lost its subject (`Returns the …`). */
const DOES =
  'decorates|returns|throws|rejects|resolves|emits|catches|handles|provides|supports|allows|uses|makes|contains|includes|requires|accepts|takes|works|stores|runs|calls|creates|sets|gets|gives|keeps|removes|adds|reads|writes|waits|stops|starts|aborts|cancels|fails|retries|expires|deletes|evicts|ignores|defaults|means|lets|helps|prevents|ensures|enables|disables|checks|validates|parses|converts|matches|wraps|passes|receives|sends|holds|treats|depends|follows|replaces|extends|implements|exports|exposes|offers|performs|produces|propagates|terminates|triggers|fires|blocks|closes|opens|causes|becomes|remains|behaves|applies|reports|shows|limits|serves|comes|leads|clears|invokes|raises|indicates|determines|represents|describes|specifies|controls|selects|yields|generates|detects|installs|loads|prints|logs|collects|turns|renders|finds|bundles|listens|registers|tracks|reuses|caches|memoizes|overrides|merges|loses|improves|reduces|increases|decreases|grows|costs|needs|wants|tries|looks|knows|has|is|does';
const FINITE = new RegExp(
  `\\b(?:are|was|were|have|had|did|do|can|cannot|will|may|might|could|would|must|isn['’]t|aren['’]t|doesn['’]t|don['’]t|won['’]t|can['’]t|${DOES})\\b`,
);
const WITHOUT_SUBJECT = new RegExp(`^(?:${DOES})\\b`, 'i');
/** Verb forms that are plural nouns as often: `A helper for failed calls` has no verb. */
const AMBIGUOUS =
  /\b(?:calls|sets|uses|checks|stops|starts|runs|works|supports|stores|waits|writes|reads|helps|wraps|blocks|causes|reports|shows|matches|limits|triggers|fires|logs|tracks|controls|costs|needs|loads|turns|returns|caches|exports|retries|aborts|opens|means|offers|tries|looks|bundles|installs|prints)\b/g;
/** The first words up to the relative clause: `A cache object that …` has no verb of its own before it. */
const BEFORE_RELATIVE = /^(?:an?|the|\p{L}+) (?:(?!\b(?:that|which|who)\b)[^.,])*?\b(?:that|which|who)\b/iu;
const CLAUSE_FIRST =
  /^(?:When|If|While|Once|As|Since|Because|Unless|Where|In|On|At|By|For|After|Before|During|With|Without|Under|Until|Although|Though|To|From|Given)\b/;
/** A name with its explanation: "`signal` An AbortSignal …", `timeout - how long to wait`. */
const NAME_AND_TEXT = /^(?:`[^`]+`|\*\*[^*]+\*\*|[\w.]+)\s*(?:[-–—:]\s|\(|(?<=[`*]\s*)\p{Lu})/u;
/** Verbs that instructions begin with, before whatever noun. */
const BASE_VERB =
  /^(?:re)?(?:add|allow|apply|build|bundle|cache|call|catch|change|check|choose|clean|clear|close|compile|configure|convert|copy|create|customi[sz]e|declare|define|delete|detect|determine|disable|discard|display|emit|enable|ensure|execute|expand|export|extend|extract|fetch|filter|find|force|format|generate|get|give|handle|hide|ignore|implement|import|include|increase|inject|insert|inspect|install|invoke|keep|limit|link|listen|load|log|make|map|match|merge|move|normali[sz]e|omit|open|override|parse|pass|perform|pick|prefer|prepend|prevent|print|process|provide|publish|push|put|read|receive|reduce|register|remove|rename|render|replace|report|require|reset|resolve|restore|retrieve|return|run|save|scan|search|select|send|serve|set|show|skip|specify|split|start|stop|store|strip|support|switch|take|throw|toggle|track|transform|traverse|trigger|try|turn|unwrap|update|upload|use|validate|verify|wait|walk|watch|wrap|write)$/i;
/** `For long operations, return a token`: an instruction after its condition. */
const IMPERATIVE_AFTER_CLAUSE =
  /^(?:When|If|For|To|In|After|Before|Once|With|Instead|Otherwise|Alternatively)\b[^,]*, (?:please |simply |just |then |also |you )?(?:use|return|pass|set|call|see|add|create|run|import|install|make|check|provide|specify|consider|do|don['’]t|open|try|include|configure|define|enable|disable|refer|read|write|start|replace|wrap|throw|avoid|ensure|keep)\b/;

/** Entries of a list of options that leave open what is meant: `If set to true, …`, `Same as …`. */
const WITHOUT_CONTEXT =
  /^(?:(?:If|When) (?:set|provided|omitted|true|false|specified|enabled|disabled|given|not|passed|present|unset)|Same as|Like)\b/;

/** True where a sentence of a document asserts something of a subject that it names, with a verb of its own. */
export function isWholeAssertion(sentence: string): boolean {
  if (!FINITE.test(sentence) || WITHOUT_SUBJECT.test(sentence) || NAME_AND_TEXT.test(sentence)) return false;
  const [first = '', second = '', third = ''] = sentence.split(/\s+/);
  if (BASE_VERB.test(first) && !FINITE.test(`${second} ${third}`)) return false;
  if (WITHOUT_CONTEXT.test(sentence)) return false;
  if (IMPERATIVE_AFTER_CLAUSE.test(sentence)) return false;
  if (/^(?:An?|Same|Another) /.test(sentence) && !FINITE.test(sentence.replace(AMBIGUOUS, ' '))) return false;
  if (CLAUSE_FIRST.test(sentence)) return true;
  const before = BEFORE_RELATIVE.exec(sentence)?.[0];
  if (before === undefined || FINITE.test(before)) return true;
  // After the relative clause's verb another one must come: `A pool that is closed rejects new tasks.`
  const rest = sentence.slice(before.length);
  const own = FINITE.exec(rest);
  return (
    own !== null && FINITE.test(rest.slice(own.index + own[0].length).replace(/\b(?:and|or|to) \S+/g, ' '))
  );
}
