# With CMAKE_UNITY_BUILD, which the presets `release` and `check` set, a folder is compiled as one file: LibTorch's
# headers cost ten seconds a file, whatever is in it. Names in unnamed namespaces must be unique within a folder.
function(xformer_unity_by_folder target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME folder)
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP "${folder}")
  endforeach()
endfunction()
