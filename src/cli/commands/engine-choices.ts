import { engineNames, traitsOf } from '../../contracts/run/engines';

export function engineChoices(): string {
  const said = engineNames.map((name) => {
    const { remark } = traitsOf(name);
    return remark === null ? name : `${name} (${remark})`;
  });
  return [...said, 'local (a model of Ollama, LM Studio or llama.cpp on this machine)'].join(', ');
}
