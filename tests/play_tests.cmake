toguz_test(play_test
  LIBS toguz_play
  SOURCES
    play/engine_test.cpp
    play/engine_time_test.cpp play/shared_engine_test.cpp
    play/protocol_dialogue_test.cpp
    play/protocol_errors_test.cpp
    play/protocol_fuzz_test.cpp
    play/protocol_search_test.cpp
    play/serve_test.cpp
    play/time_budget_test.cpp
    play/words_test.cpp)
