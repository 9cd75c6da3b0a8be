// Both builds of the engine, as scripts/build_web.sh makes them, against what the native tests pin.
import {existsSync, readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {EngineError, variants, type State} from './api';
import {EngineModule} from './module';
import {EngineRules} from './rules';

const root = new URL('../../../', import.meta.url);
const signatures = JSON.parse(readFileSync(new URL('tests/data/search_signatures.json', root), 'utf8'));

const start = async (build: string) => {
  const file = new URL(`build/web/toguz-${build}.wasm`, root);
  if (!existsSync(file)) throw new Error(`${file.pathname} is not there: run scripts/build_web.sh`);
  return EngineModule.start(new WebAssembly.Module(readFileSync(file)));
};

function repeats(positions: number[][]): boolean {
  const seen = new Map<string, number>();
  return positions.some((position, ply) => {
    const key = `${ply % 2} ${position}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
    return seen.get(key) === 3;
  });
}

describe.each(['simd', 'plain'])('the %s build', (build) => {
  test.each(variants)('has the signature of the native search of %s', async (variant) => {
    const engine = await start(build);
    expect(engine.call({do: 'signature', variant})).toBe(signatures[variant]);
  });

  test.each(variants)('plays the recorded games of %s to their ends', async (variant) => {
    const rules = new EngineRules(await start(build));
    const file = new URL(`tests/data/conformance/traces_${variant}.jsonl`, root);
    for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
      const trace: {moves: number[]; text: string[]; reason: string; pos: number[][]} = JSON.parse(line);
      if (repeats(trace.pos)) continue; // a draw by repetition, which the traces do not know
      const state = rules.state({variant, moves: trace.moves});
      expect(state.moves.map((move) => move.replace(/\(.*/, ''))).toEqual(trace.text);
      expect(state.over).toBe(true);
      expect(state.reason).toBe(trace.reason);
    }
  });

  test('says what is wrong and goes on', async () => {
    const rules = new EngineRules(await start(build));
    expect(() => rules.state({variant: 'standard', moves: [7, 17]})).toThrow(EngineError);
    expect(() => rules.state({variant: 'standard', moves: [7, 17]})).toThrow('ply 2');
    const state: State = rules.state({variant: 'standard', moves: [7, 9]});
    expect(state.moves).toEqual(['76(10)', '98']);
  });

  test('thinks in slices and keeps a large answer whole', async () => {
    const engine = await start(build);
    let reply = engine.call<{done: boolean; result?: {best: number; lines: unknown[]}}>({
      do: 'think',
      game: {variant: 'bestemshe', moves: []},
      limits: {nodes: 300, lines: 5},
      slice: 5,
    });
    while (!reply.done) reply = engine.call({do: 'more'});
    expect(reply.result!.best).toBeGreaterThan(0);
    expect(reply.result!.lines).toHaveLength(5);
  });
});
