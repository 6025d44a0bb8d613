/** Whom sources speak of; a term that ends so is a setting, not a thing that acts or is acted on. */
const PEOPLE =
  /\b(?:adults|women|men|children|schoolchildren|people|infants|adolescents|boys|girls|students|workers|employees|patients|players|athletes|survivors|users|developers|mothers|parents|families|individuals|volunteers|youth|elderly|recipients|residents|smokers|veterans|soldiers|nurses|teachers|pilots|runners|swimmers|cyclists|rowers)$/i;

export function namesPeople(text: string): boolean {
  return PEOPLE.test(text);
}
