toguz_test(store_test LIBS toguz_store SOURCES
  store/address_test.cpp store/archive_test.cpp store/batch_test.cpp store/chunk_test.cpp
  store/local_store_test.cpp store/redis_faults_test.cpp store/run_store_test.cpp)
