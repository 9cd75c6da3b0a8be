toguz_test(search_test LIBS toguz_search SOURCES
  search/gumbel_test.cpp search/rng_test.cpp search/search_test.cpp search/tree_test.cpp)
