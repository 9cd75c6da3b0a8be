#The trainer : the one library of the training side that links LibTorch.
toguz_library(toguz_trainer device.cpp losses.cpp trainer.cpp trainer_native.cpp trainer_torch.cpp)
    target_link_libraries(toguz_trainer PUBLIC toguz_models_torch toguz_selfplay)
#sqrt sets no errno here and may be vectorised; nothing that changes a result.
        set_source_files_properties(trainer_native.cpp PROPERTIES COMPILE_OPTIONS
                                    "-fno-math-errno;-fno-trapping-math")
