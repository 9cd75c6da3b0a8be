import {expect, test} from 'vitest';
import {listed, type Listed} from './move_list';
import {GameTree, find, isMain, lineEnd, mainAncestor, mainLine, path} from './tree';

function sample() {
  const tree = GameTree.of({variant: 'standard', moves: [7, 9, 6]}, ['76', '99', '68']);
  const [first, second, third] = mainLine(tree) as [any, any, any];
  return {tree, first, second, third};
}

function text(items: Listed[]): string {
  return items
    .map((item) => ('variation' in item ? `(${text(item.variation)})` : item.number + item.node.move))
    .join(' ');
}

test('a game becomes a line, and a line a game', () => {
  const {tree, third} = sample();
  expect(tree.spec(third)).toEqual({variant: 'standard', moves: [7, 9, 6]});
  expect(tree.spec(tree.root).moves).toEqual([]);
  expect(lineEnd(tree.root)).toBe(third);
  const custom = GameTree.of({variant: 'seven', fen: 'x', moves: [1]}, []);
  expect(custom.spec(lineEnd(custom.root))).toEqual({variant: 'seven', fen: 'x', moves: [1]});
  expect(lineEnd(custom.root).move).toBe('1');
});

test('a move that is there is not added again', () => {
  const {tree, first, second} = sample();
  expect(tree.add(first, 9, '99')).toBe(second);
  expect(first.children).toHaveLength(1);
});

test('variations leave the main line alone until promoted', () => {
  const {tree, first, second, third} = sample();
  const other = tree.add(first, 7, '77');
  const deeper = tree.add(other, 1, '12');
  expect(mainLine(tree)).toEqual([first, second, third]);
  expect(isMain(deeper)).toBe(false);
  expect(isMain(third)).toBe(true);
  expect(mainAncestor(deeper)).toBe(first);
  expect(mainAncestor(third)).toBe(third);
  tree.promote(deeper);
  expect(mainLine(tree)).toEqual([first, other, deeper]);
  expect(find(tree, third.id)).toBe(third);
  expect(find(tree, 99)).toBeNull();
});

test('removing goes back to where the line began', () => {
  const {tree, first, second, third} = sample();
  expect(tree.remove(third)).toBe(second);
  expect(tree.remove(first)).toBe(tree.root);
  expect(tree.root.children).toEqual([]);
  expect(tree.remove(tree.root)).toBe(tree.root);
  // A node that is gone can be asked again without harm.
  expect(tree.remove(third)).toBe(second);
});

test('moves are numbered, also after variations and from the second player', () => {
  const {tree, first, second} = sample();
  const numbering = {fullmove: 1, second: false};
  expect(text(listed(tree.root, numbering))).toBe('1.76 99 2.68');
  const other = tree.add(first, 7, '77');
  tree.add(other, 1, '12');
  tree.add(tree.add(tree.root, 6, '65'), 9, '98');
  tree.add(second, 1, '12');
  expect(text(listed(tree.root, numbering))).toBe('1.76 (1.65 98) 1...99 (1...77 2.12) 2.68 (2.12)');
  expect(text(listed(tree.root, {fullmove: 4, second: true}))).toBe(
    '4...76 (4...65 5.98) 5.99 (5.77 12) 5...68 (5...12)',
  );
});

test('the path of the root is empty', () => {
  expect(path(sample().tree.root)).toEqual([]);
});
