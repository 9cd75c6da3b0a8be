toguz_test(models_test LIBS toguz_models
           SOURCES models/features_test.cpp models/model_file_test.cpp models/native_test.cpp
                   models/int8_test.cpp models/gathering_test.cpp models/pretrained_test.cpp)
if(TOGUZ_TRAINING)
  toguz_test(models_torch_test LIBS toguz_models_torch SOURCES models/gathering_test.cpp models/torch_test.cpp)
  target_compile_definitions(models_torch_test PRIVATE TOGUZ_TRAINING)
endif()

toguz_test(export_test LIBS toguz_export
           SOURCES models/export_card_test.cpp models/export_cli_test.cpp models/export_int8_test.cpp)
target_compile_definitions(export_test PRIVATE TOGUZ_BINARY="$<TARGET_FILE:toguz>")
add_dependencies(export_test toguz)
if(TARGET toguz_export_onnx)
  toguz_test(export_onnx_test LIBS toguz_export toguz_export_onnx SOURCES models/export_onnx_test.cpp)
endif()
if(TOGUZ_TRAINING)
  toguz_test(export_torchscript_test LIBS toguz_export toguz_models_torch
             SOURCES models/export_torchscript_test.cpp)
endif()
