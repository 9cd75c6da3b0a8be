# One set of compile flags for every target: objects that hold Eigen types must not differ in
# -march, or their alignment assumptions do.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
# For the sanitizers, whose reports name functions and lines: more of -g costs a fifth of the time.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1 -fno-omit-frame-pointer")
add_compile_options(-Wall -Wextra -Wshadow -Wno-psabi)
# GCC 12 reports both falsely from its own headers: AVX-512 intrinsics (PR 105593) and
# std::string's operator+ (PR 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-maybe-uninitialized -Wno-restrict)
endif()
if(TOGUZ_WERROR)
  add_compile_options(-Werror)
endif()
if(TOGUZ_MARCH)
  add_compile_options(-march=${TOGUZ_MARCH})
endif()
if(TOGUZ_SANITIZE)
  add_compile_options(-fsanitize=${TOGUZ_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TOGUZ_SANITIZE})
  if(TOGUZ_SANITIZE MATCHES "address" AND TOGUZ_SANITIZE MATCHES "undefined")
    # What it could see "address" sees better, and it makes more code of every access.
    add_compile_options(-fno-sanitize=object-size)
  endif()
endif()
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# toguz_library(NAME sources...): a static library with the source root on its include path.
function(toguz_library name)
  add_library(${name} STATIC ${ARGN})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
endfunction()
