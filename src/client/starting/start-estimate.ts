import type { RunEstimate } from '../../contracts/run/estimate';
import type { Warning } from '../../contracts/run/run';
import type { LimitProblem } from '../../core/budget/told-estimate';
import type { ContentStore } from '../../stores/content-store';
import type { CommonSettings, Recipe } from '../kinds/recipe';

/** Null where no model is asked, and where a search is to find the sources. */
export async function estimateOfStart<Settings extends object, Material extends object>({
  content,
  recipe,
  common: { models },
  question,
  settings,
  material,
}: {
  content: Pick<ContentStore, 'retrieve'>;
  recipe: Pick<Recipe<never, never, Settings, Material>, 'estimate'>;
  common: CommonSettings;
  question: string;
  settings: Settings;
  material: Material;
}): Promise<RunEstimate | null> {
  return models ? recipe.estimate(content, { question, models }, settings, material) : null;
}

export function limitWarnings(problem: LimitProblem | null): Warning[] {
  return problem?.kind === 'short' ? [{ code: 'limit-short', message: problem.message }] : [];
}
