import {render} from 'preact';

render(<main>Toguz</main>, document.getElementById('app')!);
