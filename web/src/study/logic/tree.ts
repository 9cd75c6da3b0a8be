// A game with its variations. The first child of a node is the main line.
import type {GameSpec, Variant} from '../../engine/api';

export interface TreeNode {
  readonly id: number;
  readonly parent: TreeNode | null;
  readonly pit: number; // that led here; 0 at the root
  readonly move: string; // the same in notation, with the score: "83X(12)"
  readonly ply: number; // from the root
  readonly children: TreeNode[];
}

export class GameTree {
  readonly root: TreeNode = {id: 0, parent: null, pit: 0, move: '', ply: 0, children: []};
  private made = 0;

  constructor(
    readonly variant: Variant,
    readonly fen?: string,
  ) {}

  // `moves`: the game's moves in notation, as RulesApi.state gives them.
  static of(game: GameSpec, moves: readonly string[]): GameTree {
    const tree = new GameTree(game.variant, game.fen);
    let at = tree.root;
    game.moves.forEach((pit, i) => (at = tree.add(at, pit, moves[i] ?? String(pit))));
    return tree;
  }

  // The node after `pit`, which may be there already.
  add(at: TreeNode, pit: number, move: string): TreeNode {
    const known = at.children.find((child) => child.pit === pit);
    if (known) return known;
    const node: TreeNode = {id: ++this.made, parent: at, pit, move, ply: at.ply + 1, children: []};
    at.children.push(node);
    return node;
  }

  spec(at: TreeNode): GameSpec {
    const moves = path(at).map((node) => node.pit);
    return this.fen === undefined
      ? {variant: this.variant, moves}
      : {variant: this.variant, fen: this.fen, moves};
  }

  // Makes the line through `node` the first at its nearest fork.
  promote(node: TreeNode): void {
    for (let at = node; at.parent; at = at.parent) {
      const siblings = at.parent.children;
      const place = siblings.indexOf(at);
      if (place <= 0) continue;
      siblings.splice(place, 1);
      siblings.unshift(at);
      return;
    }
  }

  // Returns where one stands when the node and what follows are gone.
  remove(node: TreeNode): TreeNode {
    const {parent} = node;
    if (!parent) return node;
    const place = parent.children.indexOf(node);
    if (place >= 0) parent.children.splice(place, 1);
    return parent;
  }
}

// From the first move to `node`; empty at the root.
export function path(node: TreeNode): TreeNode[] {
  const nodes: TreeNode[] = [];
  for (let at: TreeNode | null = node; at?.parent; at = at.parent) nodes.push(at);
  return nodes.reverse();
}

export function lineEnd(node: TreeNode): TreeNode {
  let at = node;
  for (let next = at.children[0]; next; next = at.children[0]) at = next;
  return at;
}

export function mainLine(tree: GameTree): TreeNode[] {
  return path(lineEnd(tree.root));
}

export function isMain(node: TreeNode): boolean {
  for (let at = node; at.parent; at = at.parent) if (at.parent.children[0] !== at) return false;
  return true;
}

// The node of the main line that `node` branches from, or itself.
export function mainAncestor(node: TreeNode): TreeNode {
  let at = node;
  for (let up: TreeNode = node; up.parent; up = up.parent) if (up.parent.children[0] !== up) at = up.parent;
  return at;
}

export function find(tree: GameTree, id: number): TreeNode | null {
  const todo = [tree.root];
  for (let at = todo.pop(); at; at = todo.pop()) {
    if (at.id === id) return at;
    todo.push(...at.children);
  }
  return null;
}
