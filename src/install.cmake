# `cmake --install` makes a tree that can be moved: it brings LibTorch's libraries along, in a folder of their own.
# The other libraries are packages of the system, which scripts/setup.sh names.
include(GNUInstallDirs)
set(private_libraries ${CMAKE_INSTALL_LIBDIR}/xformer)

if(LIBTORCH_HAS_CUDA)
  # With CUDA's own libraries it takes gigabytes, so the program uses it where it lies.
  set_target_properties(xformer-torch PROPERTIES INSTALL_RPATH ${XFORMER_LIBTORCH}/lib)
  install(TARGETS xformer xformer-torch RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
else()
  file(RELATIVE_PATH from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_PREFIX}/${private_libraries})
  set_target_properties(xformer-torch PROPERTIES INSTALL_RPATH $ORIGIN/${from_program})
  install(TARGETS xformer xformer-torch RUNTIME_DEPENDENCY_SET runtime_libraries
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # A wheel keeps some libraries beside its package, in torch.libs.
  string(REGEX REPLACE "([][+.*()^$?|{}\\\\])" "\\\\\\1" libtorch_pattern ${XFORMER_LIBTORCH})
  install(RUNTIME_DEPENDENCY_SET runtime_libraries
    POST_INCLUDE_REGEXES "^${libtorch_pattern}(\\.libs)?/"
    POST_EXCLUDE_REGEXES ".*"
    LIBRARY DESTINATION ${private_libraries})
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs DESTINATION ${CMAKE_INSTALL_DATADIR}/xformer)
file(GLOB demo_corpus ${PROJECT_SOURCE_DIR}/data/demo/*.de ${PROJECT_SOURCE_DIR}/data/demo/*.en)
install(FILES ${demo_corpus} DESTINATION ${CMAKE_INSTALL_DATADIR}/xformer/data/demo)
