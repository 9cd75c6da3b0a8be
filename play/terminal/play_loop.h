// Shows a Session on a Console until the person leaves. On a terminal the board stays at the top of
// the screen and moves are sown there ball by ball; a key press shows the rest of a move at once,
// ends the engine's thinking or, where it plays both sides, pauses it. Elsewhere lines are echoed
// and a board is printed after those that change it.
//
// Uses one thread more while the engine searches.
#pragma once

#include "play/terminal/console.h"
#include "play/terminal/session.h"

namespace toguz {

// `opening` is shown first. `width` columns are used, 0: those of the terminal.
void playAt(Console& console, Session& session, Session::Events opening, int width = 0);

}  // namespace toguz
