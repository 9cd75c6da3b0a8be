// One instance of the engine: bytes of the module in, requests and answers as JSON text.
import {EngineError} from './api';

// The module is linked against almost nothing: it opens no files and prints nothing.
interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  toguz_buffer(size: number): number;
  toguz_call(): number;
  toguz_model(): number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class EngineModule {
  private constructor(private readonly exports: Exports) {}

  static async start(module: WebAssembly.Module): Promise<EngineModule> {
    let exports: Exports;
    const imports = importsOf(module, () => exports.memory);
    exports = (await WebAssembly.instantiate(module, imports)).exports as unknown as Exports;
    exports._initialize();
    return new EngineModule(exports);
  }

  call<T>(request: object): T {
    this.give(encoder.encode(JSON.stringify(request)));
    return this.take<T>(this.exports.toguz_call());
  }

  // A model file; the answer names its variant.
  model(bytes: Uint8Array): {variant: string; id: string} {
    this.give(bytes);
    return this.take(this.exports.toguz_model());
  }

  private give(bytes: Uint8Array): void {
    const at = this.exports.toguz_buffer(bytes.length);
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
  }

  private take<T>(at: number): T {
    const memory = this.exports.memory.buffer;
    const size = new DataView(memory).getUint32(at - 8, true);
    const reply = JSON.parse(decoder.decode(new Uint8Array(memory, at, size)));
    if (reply && typeof reply === 'object' && 'error' in reply) throw new EngineError(reply.error);
    return reply as T;
  }
}

// What a module without a system asks for: a clock, and functions that are never called.
function importsOf(module: WebAssembly.Module, memory: () => WebAssembly.Memory): WebAssembly.Imports {
  const known: Record<string, (...args: never[]) => unknown> = {
    clock_time_get: (_clock: never, _precision: never, at: never) => {
      new DataView(memory().buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    emscripten_get_now: () => performance.now(),
    emscripten_notify_memory_growth: () => undefined,
    proc_exit: () => {
      throw new Error('the engine ended itself');
    },
    abort: () => {
      throw new Error('the engine ended itself');
    },
  };
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const {module: from, name, kind} of WebAssembly.Module.imports(module)) {
    if (kind !== 'function') throw new Error(`the engine wants ${from}.${name}, a ${kind}`);
    // ENOSYS: there is no such thing here.
    (imports[from] ??= {})[name] = known[name] ?? (() => 52);
  }
  return imports;
}
