/// <reference types="vitest/config" />
import preact from '@preact/preset-vite';
import {defineConfig, type Plugin} from 'vite';
import {viteSingleFile} from 'vite-plugin-singlefile';

// The page is one file, a template: engine and networks are put in at the marker
// `<!--toguz:data-->` when it is exported or served.
const asPage: Plugin = {
  name: 'toguz-page',
  enforce: 'post',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) if (file.fileName === 'index.html') file.fileName = 'page.html';
  },
};

export default defineConfig({
  base: './',
  plugins: [preact(), viteSingleFile({removeViteModuleLoader: true}), asPage],
  build: {
    outDir: '../build/web',
    emptyOutDir: false,
    target: 'es2022',
    modulePreload: false,
    reportCompressedSize: false,
  },
  worker: {format: 'iife'},
  test: {environment: 'node', include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'tests/**/*.test.ts']},
});
