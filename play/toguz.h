// All that a program needs to play these games by the engine: link Toguz::play and include this.
//
//   Rules, Game             core/game.h       rules and a game under way; every move is checked
//   parseMove, formatMove   core/notation.h   moves as text: "76", "83X", "7"
//   parsePosition, formatPosition             core/position_text.h   boards as text
//   Engine                  play/engine.h     loads a model; evaluates, searches
//   factsOf, explain        play/hint.h       why a move is good, in facts and in words
//   shippedModel            play/shipped.h    the model files that come with the program
//
// Errors that a user can cause (a wrong move, a damaged file) are thrown as toguz::Error, with one
// line that says what is wrong and what to do. Nothing here needs LibTorch. An Engine belongs to
// one thread at a time; everything else is plain values or immutable. examples/hint.cpp is a whole
// program.
#pragma once

#include "core/game.h"
#include "core/notation.h"
#include "core/position_text.h"
#include "play/engine.h"
#include "play/hint.h"
#include "play/shipped.h"
