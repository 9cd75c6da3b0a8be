toguz_test(alphabeta_test LIBS toguz_search
           SOURCES search/alphabeta_test.cpp search/playout_evaluator_test.cpp
                   search/transposition_table_test.cpp)
