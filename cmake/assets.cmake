# toguz_assets(TARGET NAME=FILE...): makes assets.cpp and assets.h, included as "FOLDER/assets.h" by
# the sources of the target, which hold each file as a constant NAME in namespace toguz::assets. Made
# anew when a file changes.
function(toguz_assets target)
  get_filename_component(name_of_folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  set(header "// Made by cmake/assets.cmake.\n#pragma once\n#include <string_view>\nnamespace toguz::assets {\n")
  set(source "#include \"${name_of_folder}/assets.h\"\nnamespace toguz::assets {\n")
  foreach(pair ${ARGN})
    string(REGEX MATCH "^([^=]+)=(.+)$" unused "${pair}")
    set(name ${CMAKE_MATCH_1})
    set(path ${CMAKE_MATCH_2})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(READ ${path} hex HEX)
    string(LENGTH "${hex}" digits)
    math(EXPR size "${digits} / 2")
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
    string(APPEND header "extern const std::string_view ${name};\n")
    string(APPEND source
      "static const unsigned char ${name}Bytes[] = {${bytes}0};\n"
      "const std::string_view ${name}(reinterpret_cast<const char*>(${name}Bytes), ${size});\n")
  endforeach()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/assets)
  file(CONFIGURE OUTPUT ${folder}/${name_of_folder}/assets.h CONTENT "${header}}  // namespace toguz::assets\n" @ONLY)
  file(CONFIGURE OUTPUT ${folder}/assets.cpp CONTENT "${source}}  // namespace toguz::assets\n" @ONLY)
  target_sources(${target} PRIVATE ${folder}/assets.cpp)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
