if(TARGET toguz_trainer)
  toguz_test(trainer_test LIBS toguz_trainer
             SOURCES trainer/device_test.cpp trainer/losses_test.cpp trainer/trainer_test.cpp)
endif()
