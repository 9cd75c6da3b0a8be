// A tree as people write it: moves in pairs with their numbers, a variation after the move that it
// replaces.
import type {TreeNode} from './tree';

export interface ListedMove {
  node: TreeNode;
  number: string; // "12." before a first player's move, "12..." before a lone second player's, else ""
}
export type Listed = ListedMove | {variation: Listed[]; id: number};

// Of the root position.
export interface Numbering {
  fullmove: number;
  second: boolean; // the second player moves there
}

// `alone`: also where the moves before do not say it.
export function numbered(node: TreeNode, from: Numbering, alone: boolean): string {
  const half = node.ply - 1 + (from.second ? 1 : 0);
  const number = from.fullmove + Math.floor(half / 2);
  if (half % 2 === 0) return `${number}.`;
  return alone ? `${number}...` : '';
}

function follow(start: TreeNode, from: Numbering, opened: boolean): Listed[] {
  const items: Listed[] = [];
  let alone = opened;
  for (let at = start; at.children[0]; at = at.children[0]) {
    const [main, ...others] = at.children as [TreeNode, ...TreeNode[]];
    items.push({node: main, number: numbered(main, from, alone)});
    alone = others.length > 0;
    for (const other of others) {
      const head = {node: other, number: numbered(other, from, true)};
      items.push({id: other.id, variation: [head, ...follow(other, from, false)]});
    }
  }
  return items;
}

export function listed(root: TreeNode, from: Numbering): Listed[] {
  return follow(root, from, true);
}

// Within a sentence that may run from right to left: a number has no direction of its own.
export function numberedInText(node: TreeNode, from: Numbering): string {
  return `\u200e${numbered(node, from, true)}\u200e`;
}
