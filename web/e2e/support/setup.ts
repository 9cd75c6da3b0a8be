// Before all tests: the page as a file, and the networks as it has them.
import {existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {TestProject} from 'vitest/node';
import {modelFile, program, variants} from './files';
import {toguz} from './native';

export interface Made {
  folder: string;
  page: string;
  blank: string; // another page
  models: Record<string, string>;
}
declare module 'vitest' {
  export interface ProvidedContext {
    made: Made;
  }
}

export default function setup(project: TestProject): () => void {
  if (!existsSync(program)) throw new Error(`${program} is not built: run scripts/build.sh`);
  const folder = mkdtempSync(join(tmpdir(), 'toguz-e2e-'));
  const page = join(folder, 'toguz.html');
  toguz('export', modelFile('standard'), '--format', 'html', '-o', page);
  const blank = join(folder, 'blank.html');
  writeFileSync(blank, '<!doctype html><title>blank</title>');
  const models: Record<string, string> = {};
  for (const variant of variants) {
    models[variant] = join(folder, `${variant}.tzn`);
    toguz('export', modelFile(variant), '--precision', 'int8', '-o', models[variant]);
  }
  project.provide('made', {folder, page, blank, models});
  return () => rmSync(folder, {recursive: true});
}
