toguz_test(play_test
  LIBS toguz_play
  SOURCES
    play/engine_test.cpp
    play/engine_time_test.cpp play/shared_engine_test.cpp
    play/hint_test.cpp
    play/level_test.cpp
    play/protocol_dialogue_test.cpp
    play/protocol_errors_test.cpp
    play/protocol_fuzz_test.cpp
    play/protocol_options_test.cpp
    play/protocol_search_test.cpp
    play/serve_test.cpp
    play/time_budget_test.cpp
    play/words_test.cpp)

toguz_test(terminal_test
  LIBS toguz_terminal nlohmann_json::nlohmann_json
  SOURCES
    play/terminal_board_test.cpp
    play/terminal_fuzz_test.cpp
    play/terminal_program_test.cpp
    play/terminal_session_test.cpp
    play/terminal_words_test.cpp)
target_compile_definitions(terminal_test PRIVATE TOGUZ_BINARY="$<TARGET_FILE:toguz>")
add_dependencies(terminal_test toguz)
