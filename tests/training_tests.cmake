if(TARGET toguz_training_data)
  set(training_test_sources
      training/checkpoint_test.cpp training/config_test.cpp
      training/event_file_test.cpp training/file_test.cpp training/hash_test.cpp training/game_codec_test.cpp training/id_set_test.cpp training/replay_test.cpp training/row_test.cpp
      training/run_directory_test.cpp training/token_bucket_test.cpp)
  toguz_test(training_test LIBS toguz_training_data SOURCES ${training_test_sources})
  target_compile_definitions(training_test
                             PRIVATE TOGUZ_CONFIGS="${PROJECT_SOURCE_DIR}/configs")
endif()
