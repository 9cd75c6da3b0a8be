# Speaks the protocol to the exec player under test.
add_executable(arena_test_engine arena/test_engine.cpp)
target_link_libraries(arena_test_engine PRIVATE toguz_play)
toguz_test(arena_test LIBS toguz_arena
           SOURCES arena/agreement_test.cpp arena/exec_player_test.cpp arena/farmed_game_test.cpp arena/league_test.cpp
                   arena/match_journal_test.cpp arena/match_test.cpp arena/model_player_test.cpp
                   arena/openings_test.cpp arena/player_test.cpp arena/statistics_test.cpp)
target_compile_definitions(arena_test PRIVATE
                           TOGUZ_TEST_ENGINE="$<TARGET_FILE:arena_test_engine>")
add_dependencies(arena_test arena_test_engine)
