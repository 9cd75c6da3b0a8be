toguz_test(models_test LIBS toguz_models
           SOURCES models/features_test.cpp models/model_file_test.cpp models/native_test.cpp
                   models/int8_test.cpp models/gathering_test.cpp models/pretrained_test.cpp)
if(TOGUZ_TRAINING)
  toguz_test(models_torch_test LIBS toguz_models_torch SOURCES models/gathering_test.cpp models/torch_test.cpp)
  target_compile_definitions(models_torch_test PRIVATE TOGUZ_TRAINING)
endif()
