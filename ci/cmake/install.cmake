# What a project outside gets by find_package(Tuplestone): engine, kit and suites, with the headers.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY TUPLESTONE_LIBRARIES)
set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/Tuplestone)
install(TARGETS tuplestone_options ${libraries} EXPORT TuplestoneTargets)
install(EXPORT TuplestoneTargets NAMESPACE tuplestone:: DESTINATION ${folder})
install(DIRECTORY engine properties DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
configure_package_config_file(ci/cmake/TuplestoneConfig.cmake.in ${PROJECT_BINARY_DIR}/TuplestoneConfig.cmake
  INSTALL_DESTINATION ${folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TuplestoneConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TuplestoneConfig.cmake ${PROJECT_BINARY_DIR}/TuplestoneConfigVersion.cmake
  DESTINATION ${folder})
