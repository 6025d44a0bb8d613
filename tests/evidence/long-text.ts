/** A text as models write it: bold labels, lists, a table, abbreviations, ids with dots, sentences that occur twice. */
export const LONG_TEXT = `# Passenger numbers and jobs at a small airport

## Executive Summary

- **Probably not.** An airport with 500,000 passengers a year supports about 475 jobs on site [@acrp.org.2019], and not 2,000 [@guide; @klophaus-2008.p3].
- The ratio falls with size, e.g. from 1,200 to 900 jobs per million passengers [@acrp.org.2019].
- Dr. Klophaus et al. counted 24,500 jobs at regional airports in 2005 [@klophaus-2008.p3].

## How many jobs are on site

The ratio is counted on site. It is 954 jobs per million passengers in Europe [@aci.eu]. ACI reports 950–1,000 jobs (approx. 0.95 per 1,000 passengers) vs. 650 in the U.S. [@acrp.org.2019].

**On-site jobs.**
Airlines employ 64 % of the staff [@aci.eu]. **Shops:** retail employs 8 % [@aci.eu].

**What is missing.** No source counts part-time jobs.

### By kind of employer

1. Airlines employ most people [@aci.eu]. They also train them.
2. Handlers come second [@aci.eu].
   Their share fell by 3.5 points [@aci.eu].
3. Authorities employ 5 % [@aci.eu].
   - Customs have half of them [@aci.eu].

#### In small airports

The ratio is counted on site. That rarely changes [@guide].

### The same for all airports

| Airport | Passengers | Jobs | Source |
| --- | ---: | ---: | --- |
| Hahn | 3.0 million | 2,315 | counted [@klophaus-2008.p3] |
| Lübeck | 0.7 million | 410 | estimated [@klophaus-2008.p3] |
| All | 3.7 million | 2,725 | sum of both |

A closing line stands right under the table [@guide].

## Limits and open questions

The sources share a method [@aci.eu; @acrp.org.2019].

### Information Gaps

- What did a job cost?
- How many jobs are part-time?
`;
