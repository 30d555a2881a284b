# Turns the files in assets/ into the constants that assets.h declares.
set(definitions)
foreach(asset figure.css page.css numbers.js attention.js charts.js refresh.js lines.js)
  set(file ${CMAKE_CURRENT_SOURCE_DIR}/report/assets/${asset})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(REGEX MATCH "^([a-z])([a-z]*)\\.([a-z])([a-z]*)$" name ${asset})
  string(TOUPPER ${CMAKE_MATCH_1} first)
  string(TOUPPER ${CMAKE_MATCH_3} type)
  string(APPEND definitions
    "const std::string_view k${first}${CMAKE_MATCH_2}${type}${CMAKE_MATCH_4} = R\"asset(${text})asset\";\n")
endforeach()
set(XFORMER_ASSETS ${CMAKE_CURRENT_BINARY_DIR}/report_assets.cpp)
file(CONFIGURE OUTPUT ${XFORMER_ASSETS} @ONLY CONTENT
  "#include \"report/assets.h\"\n\nnamespace xformer {\n${definitions}}  // namespace xformer\n")
