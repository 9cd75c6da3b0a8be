# Processes of a run: they need the program, with its training, and a redis-server.
if(TARGET toguz_cluster AND TARGET toguz_training)
  toguz_test(cluster_test LIBS toguz_cluster SOURCES
    cluster/chaos_test.cpp cluster/churn_test.cpp cluster/exchange_test.cpp
    cluster/programs_test.cpp cluster/worker_service_test.cpp)
  target_compile_definitions(cluster_test PRIVATE TOGUZ_PROGRAM="$<TARGET_FILE:toguz>")
  add_dependencies(cluster_test toguz)
endif()
