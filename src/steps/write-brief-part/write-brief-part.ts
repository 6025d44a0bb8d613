import { z } from 'zod';
import { BriefPart } from '../../contracts/brief/brief-plan';
import { SectionDraft } from '../../contracts/report/draft';
import { Conflict, Finding } from '../../contracts/report/finding';
import { CitableSource } from '../material/citable-source';
import { draftProblems } from '../shared-checks/draft-problems';
import type { Step } from '../step';
import { WITHOUT_PROMPT } from '../template';

export const WriteBriefPartInput = z.object({
  part: BriefPart,
  /** What it may quote. */
  findings: z.array(Finding),
  /** Conflicts in which they stand. */
  conflicts: z.array(Conflict),
  sources: z.array(CitableSource),
});
export type WriteBriefPartInput = z.infer<typeof WriteBriefPartInput>;

/** A part as rows of quoted statements, where no model writes it. */
export const writeBriefPart: Step<WriteBriefPartInput, SectionDraft, 'write-brief-part'> = {
  name: 'write-brief-part',
  version: '1',
  role: 'strong',
  input: WriteBriefPartInput,
  output: SectionDraft,
  template: WITHOUT_PROMPT,
  variables: () => ({}),
  check: draftProblems,
};
