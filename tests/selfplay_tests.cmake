toguz_test(selfplay_test LIBS toguz_selfplay SOURCES selfplay/game_test.cpp selfplay/worker_test.cpp)
