const COUNTRIES = `Afghanistan|Algeria|Argentina|Armenia|Australia|Austria|Bahrain|Bangladesh|Belgium|Benin|Bolivia|Botswana|Brazil|Bulgaria|Burkina Faso|Cambodia|Cameroon|Canada|Chile|China|Colombia|Costa Rica|Croatia|Cuba|Cyprus|Czech Republic|Denmark|Ecuador|Egypt|Estonia|Ethiopia|Finland|France|Gambia|The Gambia|Germany|Ghana|Greece|Guatemala|Haiti|Honduras|Hong Kong|Hungary|Iceland|India|Indonesia|Iran|Iraq|Ireland|Israel|Italy|Ivory Coast|Jamaica|Japan|Jordan|Kazakhstan|Kenya|Kuwait|Laos|Latvia|Lebanon|Lithuania|Luxembourg|Malawi|Malaysia|Mali|Malta|Mexico|Mongolia|Morocco|Mozambique|Myanmar|Nepal|New Zealand|Nicaragua|Niger|Nigeria|Norway|Oman|Pakistan|Palestine|Panama|Papua New Guinea|Paraguay|Peru|Philippines|Poland|Portugal|Puerto Rico|Qatar|Romania|Russia|Rwanda|Saudi Arabia|Scotland|Senegal|Serbia|Sierra Leone|Singapore|Slovakia|Slovenia|Somalia|South Africa|South Korea|Republic of Korea|Korea|Spain|Sri Lanka|Sudan|Sweden|Switzerland|Syria|Taiwan|Tanzania|Thailand|Togo|Tunisia|Turkey|Uganda|Ukraine|United Arab Emirates|United Kingdom|UK|United States of America|United States|USA|US|Uruguay|Uzbekistan|Venezuela|Vietnam|Wales|Northern Ireland|England|Yemen|Zambia|Zimbabwe|the Netherlands|The Netherlands|Netherlands`;
const ARTICLE = new Set([
  'UK',
  'United Kingdom',
  'US',
  'USA',
  'United States',
  'United States of America',
  'Netherlands',
  'Philippines',
  'Czech Republic',
  'United Arab Emirates',
  'Gambia',
  'Republic of Korea',
]);

/** `in Canada`, `from Auckland, New Zealand`, `of the University of Leeds, UK`; a maker's place in brackets is not meant. */
const PLACE = new RegExp(
  `\\b(?:in|from|at|across|throughout|within|of)\\s(?:[^().;:]{0,90}?[\\s,])?((?:the )?(?:${COUNTRIES}))\\b(?![-’'])`,
  'g',
);
/** The sentence tells where the study was done. */
const CONDUCT =
  /\b(?:conducted|carried out|performed|recruited|recruitment|took place|setting|set in|enrol+ed|participants|patients|subjects|volunteers|residents|living in|randomi[sz]ed|trial|hospitals?|clinics?|schools?|universit(?:y|ies)|communit(?:y|ies)|cent(?:re|er)s?|villages?|district|cit(?:y|ies))\b/i;
const NOT_CONDUCT =
  /\b(?:prevalence|epidemic|guidelines?|population of|purchased|manufactur\w*|supplied|software|version|provided by|obtained from|Inc|Ltd|GmbH|Corp|Co\.|approved|ethics|ethical|previous|prior|study in|studies|funded|grant|mortality|leading cause|registry|registered|laborator\w*|analy[sz]ed (?:at|by)|diet(?:ary)? (?:guidelines|recommendations)|Department of (?:Health|Agriculture)|census|norms|reference)\b/;

/** The country that a study was done in, with its article (`the Netherlands`), or undefined where it is not sure. */
export function placeOf(title: string, sentences: readonly string[]): string | undefined {
  const countries = new Set<string>();
  for (const [index, text] of [title, ...sentences].entries()) {
    if (index > 0 && (!CONDUCT.test(text) || NOT_CONDUCT.test(text))) continue;
    for (const match of text
      .replace(/\([^)]*\)/g, (brackets) => ' '.repeat(brackets.length))
      .matchAll(PLACE)) {
      const name = (match[1] ?? '').replace(/^[Tt]he /, '');
      countries.add(
        name === 'US' || name === 'United States' || name === 'United States of America'
          ? 'USA'
          : name === 'United Kingdom'
            ? 'UK'
            : name,
      );
    }
    if (countries.size > 0 && index === 0) break;
  }
  if (countries.size !== 1) return undefined;
  const [name = ''] = countries;
  return ARTICLE.has(name) ? `the ${name}` : name;
}
