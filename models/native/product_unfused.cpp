#include "models/native/product_inl.h"

namespace toguz::native {

void multiplyUnfused(const Product& product) {
  multiplyAs<false>(product);
}

}  // namespace toguz::native
