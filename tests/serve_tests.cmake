toguz_test(page_bundle_test LIBS toguz_page_bundle PkgConfig::zlib
           SOURCES serve/encoding_test.cpp serve/page_bundle_test.cpp)
if(TARGET toguz_serve)
  toguz_test(serve_test LIBS toguz_serve
             SOURCES serve/policy_test.cpp serve/http_server_test.cpp serve/site_test.cpp
                     serve/serve_program_test.cpp)
  target_compile_definitions(serve_test PRIVATE TOGUZ_BINARY="$<TARGET_FILE:toguz>")
  add_dependencies(serve_test toguz)
endif()
