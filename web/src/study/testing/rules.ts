// The real rules for tests: the engine without vectors, as scripts/build_web.sh makes it.
import {existsSync, readFileSync} from 'node:fs';
import {EngineModule} from '../../engine/module';
import {EngineRules} from '../../engine/rules';

export async function realRules(): Promise<EngineRules> {
  const file = new URL('../../../../build/web/toguz-plain.wasm', import.meta.url);
  if (!existsSync(file)) throw new Error(`${file.pathname} is not there: run scripts/build_web.sh`);
  return new EngineRules(await EngineModule.start(new WebAssembly.Module(readFileSync(file))));
}
