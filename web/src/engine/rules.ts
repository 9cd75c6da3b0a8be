// Questions about the rules, answered at once by an instance of the engine within the page.
import type {
  EditedPosition,
  GameSpec,
  Landing,
  MoveFacts,
  ReadGame,
  Rules,
  RulesApi,
  SowingFrame,
  State,
  Variant,
} from './api';
import type {EngineModule} from './module';

export class EngineRules implements RulesApi {
  private readonly known = new Map<Variant, Rules>();

  constructor(private readonly engine: EngineModule) {}

  rules(variant: Variant): Rules {
    let rules = this.known.get(variant);
    if (!rules) this.known.set(variant, (rules = this.engine.call<Rules>({do: 'rules', variant})));
    return rules;
  }
  state(game: GameSpec): State {
    return this.engine.call({do: 'state', game});
  }
  landings(game: GameSpec): Landing[] {
    return this.engine.call({do: 'landings', game});
  }
  sowing(game: GameSpec, pit: number): SowingFrame[] {
    return this.engine.call({do: 'sowing', game, pit});
  }
  facts(game: GameSpec, pit: number): MoveFacts {
    return this.engine.call({do: 'facts', game, pit});
  }
  read(text: string, variant: Variant): ReadGame[] {
    return this.engine.call({do: 'read', text, variant});
  }
  write(game: GameSpec, more: {tags?: Record<string, string>; result?: string; comments?: string[]}): string {
    return this.engine.call({do: 'write', game, ...more});
  }
  position(edited: EditedPosition): string {
    return this.engine.call({do: 'position', ...edited});
  }
  fen(variant: Variant, fen: string): EditedPosition {
    return this.engine.call({do: 'fen', variant, fen});
  }
  text(game: GameSpec): string {
    return this.engine.call({do: 'text', game});
  }
}
