if(TARGET toguz_report)
  toguz_test(report_test LIBS toguz_report SOURCES report/run_report_test.cpp report/run_workers_test.cpp)
endif()
