set(core_test_sources
    core/conformance_test.cpp core/faults_test.cpp core/fuzz_test.cpp core/game_test.cpp
    core/notation_test.cpp core/property_test.cpp core/record_test.cpp)
toguz_test(core_test LIBS toguz_core nlohmann_json::nlohmann_json SOURCES ${core_test_sources})

toguz_test(core_cli_test LIBS toguz_core nlohmann_json::nlohmann_json SOURCES core/cli_test.cpp)
target_compile_definitions(core_cli_test PRIVATE TOGUZ_BINARY="$<TARGET_FILE:toguz>")
add_dependencies(core_cli_test toguz)

# The rules compiled for the plainest machine, so that the code behind AVX2 is tested on any.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  get_target_property(core_sources toguz_core SOURCES)
  list(TRANSFORM core_sources PREPEND ${PROJECT_SOURCE_DIR}/core/)
  toguz_test(core_portable_test LIBS toguz_base nlohmann_json::nlohmann_json
             SOURCES ${core_sources} core/conformance_test.cpp core/faults_test.cpp)
  target_include_directories(core_portable_test PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(core_portable_test PRIVATE -march=x86-64)
endif()
