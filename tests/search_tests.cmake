toguz_test(search_test LIBS toguz_search SOURCES
  search/evaluation_cache_test.cpp search/gumbel_test.cpp search/rng_test.cpp search/search_test.cpp
  search/shared_search_test.cpp search/tree_test.cpp)
