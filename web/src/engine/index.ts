import {EngineClient} from './client';
import {engineModule} from './embedded';
import {EngineModule} from './module';
import {EngineRules} from './rules';

export * from './api';
export {firstVariant} from './embedded';

export interface StartedEngine {
  rules: EngineRules;
  engine: EngineClient;
}

// Both instances of the engine: of the rules, in this thread, and of the search, in a worker.
// Throws EngineError if the page has no engine or the browser cannot run it.
export async function startEngine(plain = false): Promise<StartedEngine> {
  const module = await engineModule(plain);
  const engine = new EngineClient(module);
  return {rules: new EngineRules(await EngineModule.start(module)), engine};
}
