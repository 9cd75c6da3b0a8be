if(TARGET toguz_analysis)
  toguz_test(analysis_test LIBS toguz_analysis
             SOURCES analysis/analyst_test.cpp analysis/analyze_cli_test.cpp
                     analysis/exercise_kind_test.cpp analysis/exercises_test.cpp
                     analysis/query_server_test.cpp analysis/review_test.cpp)
  target_compile_definitions(analysis_test PRIVATE TOGUZ_BINARY="$<TARGET_FILE:toguz>"
                             TOGUZ_WEB_DATA="${PROJECT_SOURCE_DIR}/web/data")
  add_dependencies(analysis_test toguz)
endif()
