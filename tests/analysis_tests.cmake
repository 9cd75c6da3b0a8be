if(TARGET toguz_analysis)
  toguz_test(analysis_test LIBS toguz_analysis
             SOURCES analysis/analyst_test.cpp analysis/analyze_cli_test.cpp
                     analysis/query_server_test.cpp analysis/review_test.cpp)
  target_compile_definitions(analysis_test PRIVATE TOGUZ_BINARY="$<TARGET_FILE:toguz>")
  add_dependencies(analysis_test toguz)
endif()
