if(TARGET toguz_analysis)
  toguz_test(analysis_test LIBS toguz_analysis
             SOURCES analysis/analyst_test.cpp analysis/query_server_test.cpp analysis/review_test.cpp)
endif()
