// From the head layer's raw outputs to an Evaluation: shared by every inference path.
#pragma once

#include "models/model.h"
#include "search/evaluator.h"

namespace toguz {

// raw: HeadLayout{pits}.size() floats for one position. Softmax over `legal` pits only; an illegal
// pit's logit has no influence on anything.
void decodeHead(const float* raw, int pits, PitMask legal, Evaluation& out);

}  // namespace toguz
