// The native program, asked as a person would at a terminal.
import {execFileSync, spawn} from 'node:child_process';
import {program} from './files';

export function toguz(...args: string[]): string {
  return execFileSync(program, args, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
}

export interface Thought {
  best: string;
  nodes: number;
  lines: {winRate: string; margin: string; pv: string[]}[];
}

// What `toguz engine` finds in each position with so many nodes, one position after another.
export function thoughts(model: string, positions: string[], nodes: number, lines: number): Thought[] {
  const input = [
    'setoption name Precision value int8',
    `setoption name MultiPV value ${lines}`,
    ...positions.flatMap((position) => ['newgame', position, `go nodes ${nodes}`]),
  ];
  const output = execFileSync(program, ['engine', '--model', model], {
    encoding: 'utf8',
    input: input.join('\n') + '\n',
  });
  const found: Thought[] = [];
  let last: Thought = {best: '', nodes: 0, lines: []};
  for (const line of output.split('\n')) {
    if (line.startsWith('error')) throw new Error(line);
    const info =
      /^info (?:multipv (\d+) )?nodes (\d+) .* winrate (\S+) margin (\S+) pv (.*)$/.exec(line) ?? null;
    if (info) {
      const [, index = '1', seen, winRate, margin, pv] = info;
      if (index === '1') last = {best: '', nodes: Number(seen), lines: []};
      last.lines.push({winRate: winRate!, margin: margin!, pv: pv!.split(' ')});
    }
    const best = /^bestmove (\S+)/.exec(line);
    if (best) found.push({...last, best: best[1]!});
  }
  return found;
}

export interface Server {
  url: string;
  stop(): Promise<void>;
}

// `toguz serve` at a free port.
export async function serve(...args: string[]): Promise<Server> {
  const child = spawn(program, ['serve', '--port', '0', ...args], {stdio: ['ignore', 'pipe', 'inherit']});
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const found = /http:\/\/\S+/.exec(text);
      if (found) resolve(found[0]);
    });
    child.once('exit', (code) => reject(new Error(`toguz serve ended with ${code}`)));
  });
  return {
    url,
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}
