export {Board, type BoardMark, type BoardPosition, type BoardProps} from './board';
export {GameBoard} from './game_board';
export {other, pitAt, squareOf, type Pit} from './ring';
export {Sower} from './sower';
export {moveWords, previewWords, sideName} from './words';
