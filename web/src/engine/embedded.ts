// What is embedded in the page beside its script: the engine's two builds and the models, each an
// element of base64 text (serve/page_bundle.cpp puts them in).
import {gunzipSync} from 'fflate';
import type {Variant} from './api';
import {EngineError} from './api';

export function embeddedText(id: string): string | null {
  return document.getElementById(id)?.textContent ?? null;
}

export function embeddedModel(variant: Variant): {name: string; id: string; text: string} | null {
  const element = document.getElementById(`toguz-model-${variant}`);
  if (!element) return null;
  return {
    name: element.dataset.name ?? variant,
    id: element.dataset.modelId ?? '',
    text: element.textContent ?? '',
  };
}

// The variant whose page this is: the one that it was exported for.
export function firstVariant(): Variant | null {
  const element = document.querySelector<HTMLElement>('[data-first][id^="toguz-model-"]');
  return element ? (element.id.slice('toguz-model-'.length) as Variant) : null;
}

export function unpack(base64: string): Uint8Array<ArrayBuffer> {
  const text = base64.trim();
  const decode = (Uint8Array as {fromBase64?: (text: string) => Uint8Array<ArrayBuffer>}).fromBase64;
  let bytes: Uint8Array<ArrayBuffer>;
  if (decode) {
    bytes = decode.call(Uint8Array, text);
  } else {
    const binary = atob(text);
    bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  }
  return gunzipSync(bytes) as Uint8Array<ArrayBuffer>;
}

// A function that does i8x16.popcnt(i8x16.splat(0)): only a browser with vectors takes it.
const vectors = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98,
  11,
]);

export function hasVectors(): boolean {
  return WebAssembly.validate(vectors);
}

// `plain` asks for the build without vectors even where there are some.
export async function engineModule(plain = false): Promise<WebAssembly.Module> {
  const id = !plain && hasVectors() ? 'toguz-wasm-simd' : 'toguz-wasm-plain';
  const text = embeddedText(id);
  if (!text)
    throw new EngineError(
      'this page has no engine: make it by toguz export --format html, or open it by toguz serve',
    );
  return WebAssembly.compile(unpack(text));
}
