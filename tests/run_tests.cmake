if(TARGET toguz_training)
  toguz_test(run_test LIBS toguz_training SOURCES run/loop_test.cpp)
  toguz_test(ratings_test LIBS toguz_arena SOURCES run/ratings_test.cpp)
endif()
