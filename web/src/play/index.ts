export {PlayView} from './play_view';
export {PlaySession} from './session';
export {openGame, openLink} from './opening';
export {isGameLink} from './link';
export {choices, shortcutsOn} from './preferences';
export {currentGame, storeCurrent} from './saved';
export {twoPeople, person, type Setup} from './setup';
